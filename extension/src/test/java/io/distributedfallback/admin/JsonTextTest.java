package io.distributedfallback.admin;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The JSON that is written, and the JSON that is read. */
class JsonTextTest {

    @Test
    void writes_what_a_reader_reads_back() throws Exception {
        String text = "\"\\/\b\f\n\r\t\u0000\u001f\u007f<b>&'\u2028\u2029\u00e4\u20ac\ud83d\udca5";
        String json = JsonText.of(Map.of("text", text));
        assertThat(new ObjectMapper().readTree(json).at("/text").asText()).isEqualTo(text);
        assertThat(json).doesNotContain("<", ">", "&", "'", "\u2028", "\n");
        assertThat(JsonObject.parse(json)).isEqualTo(Map.of("text", text));
    }

    @Test
    void writes_half_of_a_character_so_that_it_can_be_sent() {
        assertThat(JsonText.of("\ud83d|\udca5")).isEqualTo("\"\\ud83d|\\udca5\"");
    }

    @Test
    void writes_all_that_there_is() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("none", null);
        map.put("empty", Optional.empty());
        map.put("full", Optional.of(7));
        map.put("list", Arrays.asList(1, "two", true, null));
        map.put("nothing", List.of());
        map.put("object", Map.of());
        assertThat(JsonText.of(map))
                .isEqualTo("{\"none\":null,\"empty\":null,\"full\":7,\"list\":[1,\"two\",true,null],\"nothing\":[],"
                        + "\"object\":{}}");
    }
}
