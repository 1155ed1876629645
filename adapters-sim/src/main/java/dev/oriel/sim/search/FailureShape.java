package dev.oriel.sim.search;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.rewrite.RewriteSite;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.machine.finding.ExecutionRecord.Place;
import dev.oriel.sim.machine.finding.Finding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The properties that make two failures the same for a reader. A smaller program replaces a larger
 * one in a report only if it keeps the shape of its failure.
 *
 * @param facts the finding's message without numbers and operations: its kind, the buffers, the
 *     kinds of accesses, and the repair
 * @param links the kinds of links between the lanes that the finding names, and to the memory
 * @param present kinds of operations that the failure depends on: those that the finding names, the
 *     synchronisation of their lanes, what writes the words and bytes concerned, and what advances
 *     the states of these operations
 * @param executed those of them that the execution reached; an operation on data counts only if it
 *     accessed a byte
 */
record FailureShape(Set<String> facts, Set<String> links, Set<Op> present, Set<Op> executed) {
  private static final Pattern QUOTED =
      Pattern.compile("'[^'\n]*'(?:(?: and) (?:'[^'\n]*'|more))*");
  private static final Pattern WORD = Pattern.compile("\\w+");
  private static final Pattern NUMBER = Pattern.compile("0x[0-9a-f]+|\\d+");
  private static final Pattern OWNER = Pattern.compile("\\bowner=(\\d+)");
  private static final Pattern BUFFER = Pattern.compile("\\bbuffer=(\\w+)");

  /** Parts of an account of a deadlock whose number depends on the size of the world. */
  private static final Pattern COUNTED = Pattern.compile("(?:and # more|.*\\brank[= ]#.*|lane=.*)");

  FailureShape {
    facts = Set.copyOf(facts);
    links = Set.copyOf(links);
    present = Set.copyOf(present);
    executed = Set.copyOf(executed);
  }

  /** The shape of a recorded failure. */
  static FailureShape of(Form form, Topology topology, ExecutionRecord story) {
    Finding finding = story.finding().orElseThrow();
    List<Place> places = story.places();
    Relevant relevant = new Relevant(form, finding, places);
    Set<String> reached = new HashSet<>();
    story.operations().forEach(at -> at.ifPresent(place -> reached.add(key(place))));
    places.forEach(place -> reached.add(key(place)));
    Set<String> accessing = new HashSet<>();
    story.accessing().forEach(place -> accessing.add(key(place)));
    Set<Op> present = new LinkedHashSet<>();
    Set<Op> executed = new LinkedHashSet<>();
    for (RewriteSite site : relevant.sites) {
      Op kind = OperationNames.kind(site.op());
      present.add(kind);
      if ((OperationNames.ofData(site.op()) ? accessing : reached).contains(key(site))) {
        executed.add(kind);
      }
    }
    return new FailureShape(facts(finding), links(finding, places, topology), present, executed);
  }

  /** Whether the other failure has this shape, perhaps with less besides. */
  boolean keptBy(FailureShape other) {
    return facts.equals(other.facts)
        && links.equals(other.links)
        && other.present.containsAll(present)
        && other.executed.containsAll(executed);
  }

  /** Whether a failure of that form may have this shape, without an execution. */
  boolean possible(Form form) {
    return RewriteSite.of(form).stream()
        .map(site -> OperationNames.kind(site.op()))
        .collect(Collectors.toSet())
        .containsAll(present);
  }

  /** Whether there is anything that a smaller program could keep. */
  boolean explains() {
    return present.stream()
        .anyMatch(op -> OperationNames.ofData(op) || !OperationNames.written(op).isEmpty());
  }

  private static String key(Place place) {
    return place.lane() + " " + place.operation();
  }

  private static String key(RewriteSite site) {
    return site.lane().name() + " " + (site.number() - 1);
  }

  private static Set<String> facts(Finding finding) {
    String message = QUOTED.matcher(finding.message()).replaceAll("''");
    message = NUMBER.matcher(message).replaceAll("#");
    Set<String> facts = new TreeSet<>();
    facts.add(finding.kind().word());
    if (finding.kind() == Finding.Kind.DEADLOCK) {
      for (String part : message.split("[,;\n] ?", -1)) {
        if (!COUNTED.matcher(part).matches()) {
          facts.add(part.strip());
        }
      }
    } else {
      facts.add(message);
    }
    return facts;
  }

  private static Set<String> links(Finding finding, List<Place> places, Topology topology) {
    Set<String> links = new TreeSet<>();
    Matcher owner = OWNER.matcher(finding.message());
    boolean owned = finding.kind() != Finding.Kind.DEADLOCK && owner.find();
    for (Place place : places) {
      if (owned) {
        links.add("memory " + topology.kind(place.rank(), Integer.parseInt(owner.group(1))));
      }
      for (Place other : places) {
        if (!place.equals(other)) {
          links.add("lanes " + topology.kind(place.rank(), other.rank()));
        }
      }
    }
    if (finding.kind() == Finding.Kind.DEADLOCK || finding.kind() == Finding.Kind.VALUE) {
      topology.kinds().forEach(kind -> links.add("world " + kind));
    }
    return links;
  }

  /** The operations of a form that a finding depends on. */
  private static final class Relevant {
    final List<RewriteSite> sites = new ArrayList<>();
    private final List<RewriteSite> all;
    private final Set<String> lanes = new TreeSet<>();

    Relevant(Form form, Finding finding, List<Place> places) {
      all = RewriteSite.of(form);
      Set<String> named = new HashSet<>();
      for (Place place : places) {
        lanes.add(place.lane());
        named.add(key(place));
      }
      all.stream().filter(site -> named.contains(key(site))).forEach(this::add);
      switch (finding.kind()) {
        case VALUE -> flow(buffer(finding));
        case CHECK -> {
          Set<String> loaded = new TreeSet<>();
          all.stream()
              .filter(site -> lanes.contains(site.lane().name()))
              .filter(site -> OperationNames.ofData(site.op()) || OperationNames.waits(site.op()))
              .forEach(site -> {
                add(site);
                loaded.addAll(OperationNames.read(site.op()));
              });
          flow(loaded);
        }
        default -> {}
      }
      boolean stuck = finding.kind() == Finding.Kind.DEADLOCK;
      all.stream()
          .filter(site -> lanes.contains(site.lane().name()))
          .filter(site -> OperationNames.synchronises(site.op()))
          .filter(site -> !stuck || !OperationNames.ordersOnly(site.op()))
          .forEach(this::add);
      Set<String> awaited = new TreeSet<>();
      sites.stream()
          .map(RewriteSite::op)
          .filter(OperationNames::waits)
          .forEach(op -> awaited.addAll(OperationNames.read(op)));
      all.stream().filter(site -> writes(site, awaited)).forEach(this::add);
      counters();
    }

    /**
     * Adds what advances the states of which the operations speak: without it a counter stays 0.
     */
    private void counters() {
      List<RewriteSite> own =
          all.stream().filter(site -> lanes.contains(site.lane().name())).toList();
      String texts =
          Stream.concat(sites.stream(), own.stream().filter(site -> site.op() instanceof Op.Let))
              .map(site -> FormPrinter.head(site.op()))
              .collect(Collectors.joining(" "));
      Set<String> names =
          WORD.matcher(texts).results().map(MatchResult::group).collect(Collectors.toSet());
      own.stream()
          .filter(
              site -> site.op() instanceof Op.Assign(String state, Expr _) && names.contains(state))
          .forEach(this::add);
    }

    private static Set<String> buffer(Finding finding) {
      Matcher name = BUFFER.matcher(finding.message());
      return name.find() ? Set.of(name.group(1)) : Set.of();
    }

    /** Adds what writes those buffers, and what writes the sources of that. */
    private void flow(Set<String> buffers) {
      Set<String> known = new TreeSet<>(buffers);
      boolean more = true;
      while (more) {
        more = false;
        for (RewriteSite site : all) {
          if (writes(site, known)) {
            add(site);
            lanes.add(site.lane().name());
            more |= known.addAll(OperationNames.read(site.op()));
          }
        }
      }
    }

    private static boolean writes(RewriteSite site, Set<String> names) {
      return OperationNames.written(site.op()).stream().anyMatch(names::contains);
    }

    private void add(RewriteSite site) {
      if (sites.stream().noneMatch(known -> key(known).equals(key(site)))) {
        sites.add(site);
      }
    }
  }
}
