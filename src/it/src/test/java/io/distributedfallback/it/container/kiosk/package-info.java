/** A page that is made of what several providers answer, some of them or none. */
package io.distributedfallback.it.container.kiosk;
