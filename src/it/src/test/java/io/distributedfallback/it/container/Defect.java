package io.distributedfallback.it.container;

import java.util.List;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * An application with a mistake, or with several.
 *
 * @param title which
 * @param war named after it
 * @param problems how many the extension finds in it
 * @param told what its message says of them
 */
record Defect(String title, WebArchive war, int problems, List<String> told) {

    static Defect in(String title, Class<?>... classes) {
        return new Defect(title, Wars.of(title.replace(' ', '-'), classes), 1, List.of());
    }

    Defect configured(String... lines) {
        return new Defect(title, Wars.configured(war, lines), problems, told);
    }

    Defect tells(String... parts) {
        return new Defect(title, war, problems, List.of(parts));
    }

    Defect problems(int number) {
        return new Defect(title, war, number, told);
    }

    /** As the server calls the application. */
    String application() {
        return war.getName().replace(".war", "");
    }

    @Override
    public String toString() {
        return title;
    }
}
