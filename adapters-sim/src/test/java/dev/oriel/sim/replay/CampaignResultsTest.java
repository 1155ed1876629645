package dev.oriel.sim.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway")
class CampaignResultsTest {
  private static final StrategyTally TEN =
      new StrategyTally(10, 20, new TreeMap<>(), Optional.empty());

  private static CampaignResults part(String shard) {
    return CampaignResults.of("c", CampaignShard.parse(shard), Map.of("random", TEN));
  }

  @Test
  void aPartThatComesTwiceCountsOnce() {
    CampaignResults both = part("1/2").merge(part("2/2")).merge(part("1/2"));
    assertThat(both.totals().get("random").executions()).isEqualTo(20);
    assertThat(both.missing()).isEmpty();
    assertThat(part("2/3").missing())
        .containsExactly(new CampaignShard(1, 3), new CampaignShard(3, 3));
  }

  @Test
  void rejectsReportsOfDifferentCampaigns() {
    assertThatThrownBy(() -> part("1/2").merge(part("1/3")))
        .hasMessageContaining("parts of different splits");
    CampaignResults other = CampaignResults.of("d", CampaignShard.WHOLE, Map.of());
    assertThatThrownBy(() -> part("1/1").merge(other)).hasMessageContaining("different campaigns");
    CampaignResults contradiction = CampaignResults.of("c", new CampaignShard(1, 2), Map.of());
    assertThatThrownBy(() -> part("1/2").merge(contradiction))
        .hasMessageContaining("two results of one part: shard=1/2");
  }

  @Test
  void rejectsInvalidShards() {
    for (String text : new String[] {"0/2", "3/2", "1/0", "-1/2", "1", "a/b", "1/99999999", ""}) {
      assertThatThrownBy(() -> CampaignShard.parse(text))
          .isInstanceOf(ReplayException.class)
          .hasMessageContaining("write i/n");
    }
  }

  @Test
  void theReportLooksLikeThis() {
    StrategyTally tally =
        new StrategyTally(
            3,
            9,
            new TreeMap<>(Map.of("flag before data", 2L)),
            Optional.of(new StrategyTally.First(7, "race", "oriel2:…")));
    assertThat(
            CampaignText.json(
                    CampaignResults.of("ring", new CampaignShard(1, 2), Map.of("random", tally)))
                .print())
        .isEqualTo(
            "{\"campaign\":\"ring\",\"parts\":{\"1/2\":{\"random\":{\"coverage\":{\"flag before"
                + " data\":2},\"executions\":3,\"first\":[{\"execution\":7,\"kind\":\"race\","
                + "\"token\":\"oriel2:\\u2026\"}],\"states\":9}}}}");
  }

  @Test
  void namesThePlaceOfAnErrorInAReport() {
    refuses("{\n  \"campaign\": 1.5}", "not a whole number: line=2, column=15, found='1'");
    refuses("{\"campaign\": \"c\", \"parts\": {}} x", "text after the end: line=1, column=32");
    refuses("{\"campaign\": \"c\"}", "missing member: name=parts");
    refuses(
        "{\"campaign\": \"c\", \"parts\": []}", "unfit member: name='parts'; expected an object");
    refuses("{\"a\":1,\"a\":1}", "member twice: name='a': line=1, column=8");
    refuses("[".repeat(17), "nested too deeply: max=16: line=1, column=17");
    refuses("{\"campaign\": tru", "unexpected text: line=1, column=14, found='t'");
    refuses("{\"campaign\": \"", "unexpected end: line=1, column=15, found=end");
    refuses("\"a\tb\"", "control character");
    refuses("\"\\x\"", "unknown escape");
    refuses("\"\\u00g0\"", "not a hexadecimal digit");
    refuses("01", "not a whole number");
    refuses("9223372036854775808", "not a whole number");
    refuses(" ".repeat(JsonParser.MAX_TEXT + 1), "report too long");
    refuses("{\"campaign\":\"c\",\"parts\":{},\"x\":1}", "not 'x'");
    refuses(
        "{\"campaign\":\"c\",\"parts\":{\"1/1\":{\"r\":{\"executions\":-1,\"states\":0,"
            + "\"coverage\":{},\"first\":[]}}}}",
        "negative count: executions=-1");
    refuses("{\"campaign\":\"c\",\"parts\":{\"1/1\":{},\"01/1\":{}}}", "part twice");
  }

  private static void refuses(String text, String message) {
    assertThatThrownBy(() -> CampaignText.of(JsonValue.parse(text)))
        .isInstanceOf(ReplayException.class)
        .hasMessageContaining(message);
  }
}
