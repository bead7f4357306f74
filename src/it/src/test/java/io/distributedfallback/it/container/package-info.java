/** One Open Liberty with its own EclipseLink, managed by Arquillian: what happens at deployment and inside a request. */
package io.distributedfallback.it.container;
