package io.distributedfallback.it.page.app;

import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** The application's login page. */
@RequestScoped
@Path("login")
public class LoginResource {

    /** The form that the server wants. */
    @GET
    @Produces(MediaType.TEXT_HTML)
    public String login() {
        return """
                <!DOCTYPE html>
                <html lang="en">
                <title>Login</title>
                <link rel="icon" href="data:,">
                <h1>Login</h1>
                <form method="post" action="/app/j_security_check">
                  <label>User <input name="j_username"></label>
                  <label>Password <input name="j_password" type="password"></label>
                  <button>Log in</button>
                </form>
                </html>
                """;
    }
}
