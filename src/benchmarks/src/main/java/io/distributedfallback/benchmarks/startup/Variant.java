package io.distributedfallback.benchmarks.startup;

import io.distributedfallback.benchmarks.call.PassThrough;
import io.distributedfallback.benchmarks.call.PassThroughInterceptor;
import io.distributedfallback.cdi.DistributedFallbackExtension;
import io.distributedfallback.cdi.DistributedFallbackInterceptor;
import org.jboss.weld.environment.se.Weld;

/** What stands before the methods of an application. */
enum Variant {
    /** Our extension and its interceptor. */
    GUARDED {
        @Override
        String annotation(String breaker) {
            return "@io.distributedfallback.DistributedFallback(breaker = \"" + breaker
                    + "\", fallbackMethod = \"instead\")";
        }

        @Override
        String probe(String breaker) {
            return "@io.distributedfallback.Probe(\"" + breaker + "\")";
        }

        @Override
        Weld addTo(Weld weld) {
            return weld.addExtension(new DistributedFallbackExtension())
                    .addBeanClasses(DistributedFallbackInterceptor.class);
        }
    },
    /** An interceptor that does nothing. */
    PASSED_THROUGH {
        @Override
        String annotation(String breaker) {
            return "@" + PassThrough.class.getName();
        }

        @Override
        String probe(String breaker) {
            return "";
        }

        @Override
        Weld addTo(Weld weld) {
            return weld.addBeanClasses(PassThroughInterceptor.class);
        }
    };

    /** What a guarded method carries. */
    abstract String annotation(String breaker);

    /** What a probe carries. */
    abstract String probe(String breaker);

    abstract Weld addTo(Weld weld);
}
