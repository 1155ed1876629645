package dev.oriel.domain.msccl;

import dev.oriel.domain.msccl.MscclPlan.Dependency;
import dev.oriel.domain.msccl.MscclPlan.Gpu;
import dev.oriel.domain.msccl.MscclPlan.Place;
import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.msccl.MscclPlan.Step;
import dev.oriel.domain.msccl.MscclPlan.ThreadBlock;
import dev.oriel.domain.program.ProgramException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads a plan in MSCCL XML. An error names file, line, column and element. Unknown attributes and
 * {@code copy} elements have no meaning to any runtime and are left out; all else that is unknown
 * is refused by name.
 */
public final class MscclReader {
  /** Characters of a file; every character has at least one byte. */
  public static final int MOST_TEXT = XmlCursor.MOST_TEXT;

  /** GPUs of a plan: up to this number, every execution of a program can be explored. */
  static final int MOST_GPUS = 64;

  static final int MOST_BLOCKS = 512;
  static final int MOST_STEPS = 4096;
  static final int MOST_CHANNELS = 128;

  /** Chunks of a buffer: the runtimes keep offsets in 16 bits. */
  static final int MOST_CHUNKS = 1 << 15;

  /** The largest size of a file that names none, as in the first runtime; 0 means no limit. */
  private static final long DEFAULT_MOST_BYTES = 1L << 27;

  private final XmlCursor xml;

  /** The number of steps of each unsupported type. */
  private final Map<String, Integer> unsupported = new TreeMap<>();

  private Optional<XmlElement> firstUnsupported = Optional.empty();

  private MscclReader(String text, String file) {
    xml = new XmlCursor(text, file);
  }

  /** Whether a text looks like XML, and so like no program text. */
  public static boolean isXml(String text) {
    return text.stripLeading().startsWith("<") || text.startsWith("\uFEFF<");
  }

  /**
   * The plan of that text.
   *
   * @param file the name of its file, for messages
   * @throws ProgramException naming the place of the first error, or all unsupported types of steps
   */
  public static MscclPlan read(String text, String file) {
    return new MscclReader(text, file).plan();
  }

  private MscclPlan plan() {
    XmlElement algo = xml.next().orElseThrow();
    if (!algo.name().equals("algo")) {
      throw xml.error("no plan", algo.at(), element(algo), "give MSCCL XML, with the root algo");
    }
    XmlAttributes of = new XmlAttributes(xml, algo);
    String protocol = of.text("proto");
    int world = of.number("ngpus", 1, MOST_GPUS);
    int channels = of.number("nchannels", 1, MOST_CHANNELS);
    int chunks = of.number("nchunksperloop", 1, MOST_CHUNKS);
    String coll = of.text("coll");
    boolean inPlace = of.flag("inplace", false);
    MscclCollective collective = MscclCollective.named(coll);
    Header header = new Header(collective, world, channels, chunks);
    if (collective.inBlocks() && chunks % world != 0) {
      throw of.error(
          "nchunksperloop", "chunks that ranks cannot share equally", "give a multiple of ngpus");
    }
    long most = of.number("maxBytes", 0, Long.MAX_VALUE, DEFAULT_MOST_BYTES);
    MscclPlan plan =
        new MscclPlan(
            of.text("name"),
            MscclProtocol.named(protocol)
                .orElseThrow(
                    () -> of.error("proto", "unknown protocol", "give Simple, LL or LL128")),
            collective,
            XmlCursor.cut(coll),
            channels,
            chunks,
            inPlace,
            of.flag("outofplace", !inPlace),
            of.number("minBytes", 0, Long.MAX_VALUE, 0),
            most == 0 ? Long.MAX_VALUE : most,
            gpus(header, algo));
    if (!plan.inPlace() && !plan.outOfPlace()) {
      throw of.error("outofplace", "plan for no call", "set inplace or outofplace to 1");
    }
    if (plan.leastBytes() > plan.mostBytes()) {
      throw of.error("minBytes", "plan for no size", "give at most maxBytes");
    }
    if (xml.next().isPresent()) {
      throw new IllegalStateException("a second root is refused before");
    }
    return plan;
  }

  /** The attributes of a plan that bound those of its elements. */
  private record Header(MscclCollective collective, int world, int channels, int chunks) {}

  private void refuseUnsupported(XmlElement first) {
    List<String> types = new ArrayList<>();
    unsupported.forEach((type, count) -> types.add(count + " of type " + type));
    throw xml.error(
        "steps that are not supported",
        first.at(),
        "steps=" + String.join(" and ", types),
        "their meaning is not modelled, so nothing is said of this plan");
  }

  private List<Gpu> gpus(Header header, XmlElement algo) {
    Map<Integer, Gpu> gpus = new TreeMap<>();
    for (Optional<XmlElement> next = xml.next(); next.isPresent(); next = xml.next()) {
      XmlElement element = expect(next.get(), "gpu");
      XmlAttributes of = new XmlAttributes(xml, element);
      int id = of.number("id", 0, header.world - 1);
      Gpu gpu =
          new Gpu(
              id,
              of.number("i_chunks", 0, MOST_CHUNKS),
              of.number("o_chunks", 0, MOST_CHUNKS),
              of.number("s_chunks", 0, MOST_CHUNKS),
              blocks(header, id),
              element.at());
      sizes(header, of, gpu);
      if (gpus.put(id, gpu) != null) {
        throw of.error("id", "gpu twice", "give each id once");
      }
    }
    if (gpus.size() != header.world) {
      throw xml.error(
          "gpus missing",
          algo.at(),
          "gpus=%d, ngpus=%d".formatted(gpus.size(), header.world),
          "give one element gpu for each id from 0 to %d".formatted(header.world - 1));
    }
    if (gpus.values().stream()
        .flatMap(gpu -> gpu.blocks().stream())
        .allMatch(block -> block.steps().isEmpty())) {
      throw xml.error("plan without steps", algo.at(), "element=algo", "give at least one step");
    }
    firstUnsupported.ifPresent(this::refuseUnsupported);
    return dependent(new ArrayList<>(gpus.values()));
  }

  /** The runtimes refuse other sizes; 0 says that the file does not use the buffer. */
  private static void sizes(Header header, XmlAttributes of, Gpu gpu) {
    MscclCollective collective = header.collective;
    if (collective == MscclCollective.CUSTOM) {
      return;
    }
    int block = header.chunks / header.world;
    int inputs = collective == MscclCollective.ALLGATHER ? block : header.chunks;
    int outputs = collective == MscclCollective.REDUCE_SCATTER ? block : header.chunks;
    if (gpu.inputs() != 0 && gpu.inputs() != inputs) {
      throw of.error(
          "i_chunks", "size does not fit the collective", "give %d chunks".formatted(inputs));
    }
    if (gpu.outputs() != 0 && gpu.outputs() != outputs) {
      throw of.error(
          "o_chunks", "size does not fit the collective", "give %d chunks".formatted(outputs));
    }
  }

  private List<ThreadBlock> blocks(Header header, int gpu) {
    Map<Integer, ThreadBlock> blocks = new TreeMap<>();
    for (Optional<XmlElement> next = xml.next(); next.isPresent(); next = xml.next()) {
      if (next.get().name().equals("copy")) {
        skip();
        continue;
      }
      XmlElement element = expect(next.get(), "tb");
      XmlAttributes of = new XmlAttributes(xml, element);
      int id = of.number("id", 0, MOST_BLOCKS - 1);
      ThreadBlock block =
          new ThreadBlock(
              gpu,
              id,
              peer(of, "send", header, gpu),
              peer(of, "recv", header, gpu),
              of.number("chan", 0, header.channels - 1),
              steps(gpu, id),
              element.at());
      if (blocks.put(id, block) != null) {
        throw of.error("id", "block twice", "give each id of gpu %d once".formatted(gpu));
      }
    }
    int dense = 0;
    for (ThreadBlock block : blocks.values()) {
      if (block.id() != dense) {
        throw xml.error(
            "block missing",
            block.at(),
            "element=tb, gpu=%d, id=%d, expected=%d".formatted(gpu, block.id(), dense),
            "number the blocks of a gpu from 0 on");
      }
      dense++;
    }
    return new ArrayList<>(blocks.values());
  }

  private static int peer(XmlAttributes of, String name, Header header, int gpu) {
    int peer = of.number(name, -1, header.world - 1);
    if (peer == gpu) {
      throw of.error(name, "block connected to its own gpu", "name another gpu, or -1");
    }
    return peer;
  }

  private List<Step> steps(int gpu, int block) {
    List<Step> steps = new ArrayList<>();
    for (Optional<XmlElement> next = xml.next(); next.isPresent(); next = xml.next()) {
      XmlElement element = expect(next.get(), "step");
      XmlAttributes of = new XmlAttributes(xml, element);
      int number = of.number("s", 0, MOST_STEPS - 1);
      if (number != steps.size()) {
        throw of.error(
            "s", "step out of turn", "number the steps of a block 0, 1, 2, ... in their order");
      }
      step(of, gpu, block, number)
          .ifPresentOrElse(steps::add, () -> steps.add(nothing(gpu, block, number, element)));
      if (xml.next().isPresent()) {
        throw xml.error("element in a step", element.at(), element(element), "leave it out");
      }
    }
    return steps;
  }

  /** Holds the place of an unsupported step: the plan is refused in the end. */
  private static Step nothing(int gpu, int block, int number, XmlElement element) {
    return new Step(
        gpu,
        block,
        number,
        StepType.NOP,
        Optional.empty(),
        Optional.empty(),
        0,
        Optional.empty(),
        false,
        element.at());
  }

  /** Empty if the type is not supported, which is counted. */
  private Optional<Step> step(XmlAttributes of, int gpu, int block, int number) {
    String spelling = of.text("type");
    Optional<StepType> named = StepType.named(spelling);
    if (named.isEmpty()) {
      unsupported.merge(XmlCursor.cut(spelling), 1, Integer::sum);
      firstUnsupported = firstUnsupported.or(() -> Optional.of(of.element()));
      return Optional.empty();
    }
    StepType type = named.get();
    boolean nop = type == StepType.NOP;
    int waited = of.number("depid", -1, MOST_BLOCKS - 1);
    int until = of.number("deps", -1, MOST_STEPS - 1);
    if (waited >= 0 && until < 0) {
      throw of.error("deps", "no step to wait for", "name a step of tb %d".formatted(waited));
    }
    int count = of.number("cnt", nop ? 0 : 1, MscclProtocol.MOST_CHUNKS);
    return Optional.of(
        new Step(
            gpu,
            block,
            number,
            type,
            type.reads() ? Optional.of(place(of, "src")) : Optional.empty(),
            type.writes() ? Optional.of(place(of, "dst")) : Optional.empty(),
            count,
            waited < 0 ? Optional.empty() : Optional.of(new Dependency(waited, until)),
            of.flag("hasdep", false),
            of.element().at()));
  }

  private static Place place(XmlAttributes of, String end) {
    PlanBuffer buffer =
        switch (of.text(end + "buf")) {
          case "i" -> PlanBuffer.I;
          case "o" -> PlanBuffer.O;
          case "s" -> PlanBuffer.S;
          default -> throw of.error(end + "buf", "unknown buffer", "give i, o or s");
        };
    return new Place(buffer, of.number(end + "off", 0, MOST_CHUNKS - 1));
  }

  /** The same GPUs, after a look at what only the whole of a GPU decides. */
  private List<Gpu> dependent(List<Gpu> gpus) {
    for (Gpu gpu : gpus) {
      for (ThreadBlock block : gpu.blocks()) {
        block.steps().forEach(step -> check(gpu, block, step));
      }
    }
    return gpus;
  }

  private void check(Gpu gpu, ThreadBlock block, Step step) {
    if (step.type().sends() && block.send() < 0) {
      throw wrong(step, "step sends in a block without a peer", "send=-1", "set send of the block");
    }
    if (step.type().receives() && block.receive() < 0) {
      throw wrong(
          step, "step receives in a block without a peer", "recv=-1", "set recv of the block");
    }
    step.source().ifPresent(place -> check(gpu, step, place));
    step.destination().ifPresent(place -> check(gpu, step, place));
    step.dependency().ifPresent(on -> check(gpu, step, on));
    if (step.type() == StepType.NOP) {
      checkNop(block, step);
    }
  }

  private void check(Gpu gpu, Step step, Place place) {
    int size = gpu.size(place.buffer());
    if (place.offset() + step.count() > size) {
      throw wrong(
          step,
          "outside the buffer",
          "place=%s, chunks=%d, size=%d".formatted(place, step.count(), size),
          "stay inside, or declare a larger buffer at gpu");
    }
  }

  private void check(Gpu gpu, Step step, Dependency on) {
    if (on.block() >= gpu.blocks().size()) {
      throw wrong(step, "no such block", "depid=" + on.block(), "name a block of the same gpu");
    }
    int steps = gpu.blocks().get(on.block()).steps().size();
    if (on.step() >= steps) {
      throw wrong(
          step,
          "no such step",
          "depid=%d, deps=%d, steps=%d".formatted(on.block(), on.step(), steps),
          "name a step that the block has");
    }
  }

  /**
   * A nop hands its wait to the next step that does something, which the runtime only accepts if
   * that step waits, too. Any other use has no meaning there.
   */
  private void checkNop(ThreadBlock block, Step step) {
    if (step.dependency().isEmpty() || step.announced()) {
      throw wrong(
          step,
          "nop that does not just wait",
          "depid=%d, hasdep=%d"
              .formatted(step.dependency().isEmpty() ? -1 : 0, step.announced() ? 1 : 0),
          "a nop carries one wait for the next step, and nothing else");
    }
    int next = step.number() + 1;
    if (next == block.steps().size() || block.steps().get(next).dependency().isEmpty()) {
      throw wrong(
          step,
          "nop without a step that waits after it",
          "step=" + next,
          "let a step with a depid follow; runtimes refuse the file otherwise");
    }
  }

  private ProgramException wrong(Step step, String what, String facts, String remedy) {
    return xml.error(step.ids() + ": " + what, step.at(), "element=step, " + facts, remedy);
  }

  private XmlElement expect(XmlElement element, String name) {
    if (!element.name().equals(name)) {
      throw xml.error(
          "unknown element",
          element.at(),
          element(element),
          "an element %s is expected here".formatted(name));
    }
    return element;
  }

  private static String element(XmlElement element) {
    return "element=" + element.name();
  }

  /** Leaves out the content of the element that was read last. */
  private void skip() {
    while (xml.next().isPresent()) {
      skip();
    }
  }
}
