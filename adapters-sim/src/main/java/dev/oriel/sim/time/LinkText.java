package dev.oriel.sim.time;

import dev.oriel.ports.MachineException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The text form of a {@link LinkModel}: its name, then every cost on a line of its own. Text after
 * {@code --} is a comment.
 *
 * <pre>
 * links mine
 * nvlink latency 640        -- nanoseconds
 * nvlink bandwidth 370      -- bytes per nanosecond
 * </pre>
 */
public final class LinkText {
  /** The shipped models. */
  public static final List<String> PROFILES = List.of("h200", "flat50");

  private final Map<String, Double> values = new LinkedHashMap<>();
  private String name = "";

  private LinkText() {}

  /** The shipped model of that name. */
  public static LinkModel profile(String name) {
    try (InputStream in = LinkText.class.getResourceAsStream("/links/" + name + ".links")) {
      if (in == null || !PROFILES.contains(name)) {
        throw new MachineException(
            "unknown links: name=%s; use one of %s, or the path of a text"
                .formatted(name, String.join(", ", PROFILES)));
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The model that the text describes; it must state every cost once. */
  public static LinkModel parse(String text) {
    LinkText parsed = new LinkText();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      int comment = line.indexOf("--");
      String meant = (comment < 0 ? line : line.substring(0, comment)).strip();
      if (!meant.isEmpty()) {
        parsed.line(meant.split("\\s+"), number);
      }
    }
    LinkModel model = parsed.model();
    if (!parsed.values.isEmpty()) {
      throw new MachineException(
          "unknown costs: names=%s; see the models that are shipped"
              .formatted(new ArrayList<>(parsed.values.keySet())));
    }
    return model;
  }

  /** Every cost of a model by its name in the text, in the order of a text. */
  public static Map<String, Double> costs(LinkModel model) {
    Map<String, Double> costs = new LinkedHashMap<>();
    put(costs, "nvlink", model.nvlink());
    put(costs, "rdma", model.rdma());
    costs.put("nic rails", (double) model.nic().rails());
    costs.put("nic post", model.nic().post());
    costs.put("nic doorbell", model.nic().doorbell());
    costs.put("nic gap", model.nic().gap());
    LinkModel.Block block = model.block();
    costs.put("block launch", block.launch());
    costs.put("block barrier", block.barrier());
    costs.put("block poll", block.poll());
    costs.put("block fence", block.fence());
    costs.put("block issue", block.issue());
    costs.put("block load", block.load());
    costs.put("block consist", block.consist());
    costs.put("block line", block.line());
    costs.put("block thread", block.thread());
    costs.put("block packet", block.packet());
    costs.put("block most", block.most());
    costs.put("block step", block.step());
    costs.put("block divide", block.divide());
    costs.put("engine count", (double) model.engine().count());
    costs.put("engine start", model.engine().start());
    costs.put("engine bandwidth", model.engine().bandwidth());
    return costs;
  }

  /** The text of a model, which {@link #parse} reads, below those comments. */
  public static String print(LinkModel model, List<String> comments) {
    StringBuilder text = new StringBuilder("links " + model.name() + "\n");
    comments.forEach(comment -> text.append("-- ").append(comment).append('\n'));
    costs(model)
        .forEach((cost, value) -> {
          boolean whole = value == StrictMath.rint(value) && value < 1e15;
          text.append(cost)
              .append(' ')
              .append(whole ? Long.toString(value.longValue()) : Double.toString(value))
              .append('\n');
        });
    return text.toString();
  }

  private static void put(Map<String, Double> costs, String kind, LinkModel.Wire wire) {
    costs.put(kind + " latency", wire.latency());
    costs.put(kind + " bandwidth", wire.bandwidth());
    costs.put(kind + " overhead", wire.overhead());
    costs.put(kind + " signal", (double) wire.signal());
  }

  /** The model with exactly these costs, which {@link #costs} names. */
  public static LinkModel model(String name, Map<String, Double> costs) {
    LinkText parsed = new LinkText();
    parsed.name = name;
    parsed.values.putAll(costs);
    return parsed.model();
  }

  private void line(String[] words, int number) {
    if (words.length == 2 && words[0].equals("links")) {
      name = words[1];
      return;
    }
    double value;
    try {
      value = words.length == 3 ? Double.parseDouble(words[2]) : Double.NaN;
    } catch (NumberFormatException e) {
      value = Double.NaN;
    }
    if (!(value >= 0) || value > 1e15) {
      throw new MachineException(
          "bad line of links: line=%d, text=%s; write two words and a number from 0 to 1e15"
              .formatted(number, String.join(" ", words)));
    }
    if (values.put(words[0] + " " + words[1], value) != null) {
      throw new MachineException(
          "cost occurs twice: line=%d, name=%s %s; keep one".formatted(number, words[0], words[1]));
    }
  }

  private LinkModel model() {
    return new LinkModel(
        name,
        wire("nvlink"),
        wire("rdma"),
        new LinkModel.Nic(
            (int) whole("nic rails", 1), take("nic post"), take("nic doorbell"), take("nic gap")),
        new LinkModel.Block(
            take("block launch"),
            take("block barrier"),
            take("block poll"),
            take("block fence"),
            take("block issue"),
            take("block load"),
            take("block consist"),
            take("block line"),
            rate("block thread"),
            rate("block packet"),
            rate("block most"),
            take("block step"),
            take("block divide")),
        new LinkModel.Engine(
            (int) whole("engine count", 1), take("engine start"), rate("engine bandwidth")));
  }

  private LinkModel.Wire wire(String kind) {
    return new LinkModel.Wire(
        take(kind + " latency"),
        rate(kind + " bandwidth"),
        take(kind + " overhead"),
        whole(kind + " signal", 0));
  }

  private double take(String cost) {
    Double value = values.remove(cost);
    if (value == null) {
      throw new MachineException(
          "cost missing: links=%s, name=%s; add a line with it".formatted(name, cost));
    }
    return value;
  }

  private double rate(String cost) {
    double rate = take(cost);
    if (rate < 1e-6) {
      throw new MachineException(
          "rate too small: name=%s, value=%s, min=1e-6; use bytes per nanosecond"
              .formatted(cost, rate));
    }
    return rate;
  }

  private long whole(String cost, long least) {
    double value = take(cost);
    if (value != Math.rint(value) || value < least || value > 64 * 1024) {
      throw new MachineException(
          "not a whole number: name=%s, value=%s, min=%d, max=65536; use one"
              .formatted(cost, value, least));
    }
    return (long) value;
  }
}
