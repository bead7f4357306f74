package io.distributedfallback.simulator;

import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.StringReader;
import java.util.Map;
import java.util.Optional;

/**
 * Twilio SendGrid, version 3: {@code POST /v3/mail/send} takes a mail and says no more than 202, {@code GET /v3/scopes}
 * tells what the key may do. Both with a bearer token. No mail is sent.
 */
final class SendGridApi implements ProviderApi {

    private static final String SEND = "/v3/mail/send";
    private static final String SCOPES = "/v3/scopes";
    private static final int ONE = 1;

    @Override
    public Answer answer(Question question) {
        if (question.header("Authorization")
                .filter(key -> key.startsWith("Bearer "))
                .isEmpty()) {
            return error(401);
        }
        if (question.path().equals(SCOPES) && question.method().equals("GET")) {
            return Answer.json(
                    200,
                    Json.createObjectBuilder()
                            .add("scopes", Json.createArrayBuilder().add("mail.send"))
                            .build());
        }
        if (question.path().equals(SEND) && question.method().equals("POST")) {
            return isMail(question.body()) ? new Answer(202, "text/plain", "", Map.of()) : error(400);
        }
        return error(404);
    }

    /** To whom, from whom and about what is all that is looked at. */
    private static boolean isMail(String body) {
        try (JsonReader reader = Json.createReader(new StringReader(body))) {
            JsonObject mail = reader.readObject();
            return mail.containsKey("personalizations") && mail.containsKey("from") && mail.containsKey("subject");
        } catch (JsonException e) {
            return false;
        }
    }

    @Override
    public Answer error(int status) {
        String message = switch (status) {
            case 400 -> "Bad Request";
            case 401 -> "The provided authorization grant is invalid, expired, or revoked";
            case 404 -> "Not Found";
            case 429 -> "too many requests";
            default -> "Internal Server Error";
        };
        return Answer.json(
                status,
                Json.createObjectBuilder()
                        .add(
                                "errors",
                                Json.createArrayBuilder()
                                        .add(Json.createObjectBuilder()
                                                .add("message", message)
                                                .addNull("field")
                                                .addNull("help")))
                        .build());
    }

    /** A probe asks for the scopes, of which there is one list. */
    @Override
    public Optional<Integer> itemAsked(Question question) {
        return question.path().equals(SCOPES) ? Optional.of(ONE) : Optional.empty();
    }
}
