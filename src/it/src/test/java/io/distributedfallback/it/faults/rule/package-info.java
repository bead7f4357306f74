/** What must hold whatever breaks, checked on records: the instances' journals, the provider's, and the history. */
package io.distributedfallback.it.faults.rule;
