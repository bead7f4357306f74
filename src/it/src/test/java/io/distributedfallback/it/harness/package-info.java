/** The real parts that the tests run on, and the controls to break them: PostgreSQL, Open Liberty, a provider. */
package io.distributedfallback.it.harness;
