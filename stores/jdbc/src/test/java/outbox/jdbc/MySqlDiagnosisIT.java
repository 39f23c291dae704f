package outbox.jdbc;

class MySqlDiagnosisIT extends InnoDbDiagnosis {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mySql();
    }

    @Override
    String loginUrl(String url) {
        return url + (url.contains("?") ? "&" : "?") + "allowPublicKeyRetrieval=true";
    }

    @Override
    String nobodysUrl() {
        return "jdbc:mysql://127.0.0.1:1/nothing";
    }
}
