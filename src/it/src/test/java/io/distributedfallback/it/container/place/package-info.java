/** Places where the annotation may stand, beside beans that are plain classes. */
package io.distributedfallback.it.container.place;
