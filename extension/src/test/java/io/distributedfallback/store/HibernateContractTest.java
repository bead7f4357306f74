package io.distributedfallback.store;

class HibernateContractTest extends JpaContractTest {
    HibernateContractTest() {
        super(Provider.HIBERNATE);
    }
}
