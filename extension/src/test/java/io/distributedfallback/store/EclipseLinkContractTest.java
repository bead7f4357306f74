package io.distributedfallback.store;

class EclipseLinkContractTest extends JpaContractTest {
    EclipseLinkContractTest() {
        super(Provider.ECLIPSELINK);
    }
}
