/** Several instances on Open Liberty that share one PostgreSQL. */
package io.distributedfallback.it.cluster;
