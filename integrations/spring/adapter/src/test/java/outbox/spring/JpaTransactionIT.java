package outbox.spring;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;

class JpaTransactionIT extends TransactionContract {

    private EntityManagerFactory entities;

    /** A row of the business. */
    @Entity
    @Table(name = "business")
    static class Business {

        @Id
        private long id;

        Business() {}

        Business(long id) {
            this.id = id;
        }

        long id() {
            return id;
        }
    }

    @Override
    PlatformTransactionManager transactionManager(TestDatabase on) {
        LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
        factory.setDataSource(on.dataSource);
        factory.setPackagesToScan("outbox.spring");
        factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        factory.afterPropertiesSet();
        entities = Objects.requireNonNull(factory.getObject());
        return new JpaTransactionManager(entities);
    }

    @Override
    void write(long id) {
        Objects.requireNonNull(EntityManagerFactoryUtils.getTransactionalEntityManager(entities))
                .persist(new Business(id));
    }

    @AfterAll
    void closeEntities() {
        entities.close();
    }
}
