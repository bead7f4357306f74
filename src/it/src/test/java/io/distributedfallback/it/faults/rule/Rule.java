package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Records;
import java.util.List;

/** Something that must hold. */
interface Rule {

    /** Each violation, in a sentence that says what was seen. */
    List<String> broken(Records records);
}
