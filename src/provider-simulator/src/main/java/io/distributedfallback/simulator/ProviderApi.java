package io.distributedfallback.simulator;

import java.util.Optional;

/** The shape of one provider's API. Immutable, so that any number of threads may ask. */
interface ProviderApi {

    /** The answer of a healthy provider: 200, or a 4xx if the question is wrong. */
    Answer answer(Question question);

    /** How the provider words an error of its own. */
    Answer error(int status);

    /** The single item that the question asks for, as a probe would; empty if it is a visitor's search. */
    Optional<Integer> itemAsked(Question question);
}
