/** Applications that are wrong, one mistake in each. */
package io.distributedfallback.it.container.defect;
