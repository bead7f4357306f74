package io.distributedfallback.it.page;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A test that takes the {@link Stage}, which all share, or a {@link Browser} of its own as parameters. After each test its
 * browser must have had nothing to complain of.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(PageTest.Parts.class)
@interface PageTest {

    /** Starts the stage once, and a browser for each test that wants one. */
    final class Parts implements ParameterResolver, AfterEachCallback {

        private static final ExtensionContext.Namespace PLACE = ExtensionContext.Namespace.create(Stage.class);

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            Class<?> type = parameter.getParameter().getType();
            return type == Stage.class || type == Browser.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            if (parameter.getParameter().getType() == Browser.class) {
                return context.getStore(PLACE).getOrComputeIfAbsent(Browser.class, key -> new Browser(), Browser.class);
            }
            return context.getRoot()
                    .getStore(PLACE)
                    .getOrComputeIfAbsent(Stage.class, key -> new Start(), Start.class)
                    .stage();
        }

        @Override
        public void afterEach(ExtensionContext context) {
            Browser browser = context.getStore(PLACE).get(Browser.class, Browser.class);
            if (browser != null && context.getExecutionException().isEmpty()) {
                browser.assertWellBehaved();
            }
        }
    }

    /** The one attempt to start the stage: a second one would fail like the first, and take as long. */
    final class Start implements AutoCloseable {

        private Stage stage;
        private RuntimeException failure;

        Start() {
            try {
                stage = new Stage();
            } catch (RuntimeException e) {
                failure = e;
            }
        }

        Stage stage() {
            if (failure != null) {
                throw new IllegalStateException("the stage did not come up", failure);
            }
            return stage;
        }

        @Override
        public void close() {
            if (stage != null) {
                stage.close();
            }
        }
    }
}
