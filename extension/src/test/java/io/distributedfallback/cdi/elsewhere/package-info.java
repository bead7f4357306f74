/** Another package than that of the beans under test. */
package io.distributedfallback.cdi.elsewhere;
