package outbox.jdbc;

class MariaDbDiagnosisIT extends InnoDbDiagnosis {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mariaDb();
    }

    @Override
    String nobodysUrl() {
        return "jdbc:mariadb://127.0.0.1:1/nothing";
    }
}
