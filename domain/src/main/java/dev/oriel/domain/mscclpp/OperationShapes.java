package dev.oriel.domain.mscclpp;

import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.mscclpp.ExecutionPlan.ChannelType;
import dev.oriel.domain.mscclpp.ExecutionPlan.Operation;
import dev.oriel.domain.mscclpp.ExecutionPlan.Place;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/** The channels and places that each type of operation takes. */
final class OperationShapes {
  private OperationShapes() {}

  /** The name of an operation that has no model with those channels; empty if it has one. */
  static Optional<String> unsupported(OperationType type, ChannelType by, boolean outer) {
    String name = type.spelling();
    if (!outer && (type == OperationType.PIPELINE || type == OperationType.BARRIER)) {
      return Optional.of(name + " in a pipeline");
    }
    // The executor executes these whole in every turn.
    if (!outer && type.packets()) {
      return Optional.of(name + " in a pipeline");
    }
    boolean fits =
        switch (type) {
          case PUT, SIGNAL, WAIT -> by == ChannelType.MEMORY || by == ChannelType.PORT;
          case RLXSIGNAL, RLXWAIT -> by == ChannelType.MEMORY;
          case PWS, PWSF, FLUSH -> by == ChannelType.PORT;
          case GLRES, GSTORE, GSTOREPKT -> by == ChannelType.SWITCH || by == ChannelType.NONE;
          default -> by == ChannelType.MEMORY || by == ChannelType.NONE;
        };
    return fits
        ? Optional.empty()
        : Optional.of(
            by == ChannelType.NONE
                ? name + " without a channel type"
                : "%s by %s channels".formatted(name, by.name().toLowerCase(Locale.ROOT)));
  }

  /** What an operation must have, if it has not. */
  static Optional<String> mistake(Operation of) {
    return switch (of.type()) {
      case SIGNAL, WAIT, RLXSIGNAL, RLXWAIT, FLUSH ->
          unless(
              !of.channels().isEmpty() && distinct(of.channels()), "give channel_ids, each once");
      case SEM_ACQUIRE, SEM_RELEASE ->
          unless(
              !of.semaphores().isEmpty() && distinct(of.semaphores()),
              "give semaphore_ids, each once");
      case NOP, BARRIER -> Optional.empty();
      case PIPELINE -> unless(!of.inner().isEmpty(), "give operations");
      default -> moving(of);
    };
  }

  private static Optional<String> moving(Operation of) {
    List<Place> from = of.sources();
    List<Place> to = of.destinations();
    if (from.isEmpty() || to.isEmpty()) {
      return Optional.of("give src_buff and dst_buff");
    }
    if (Stream.concat(from.stream(), to.stream()).mapToInt(Place::size).distinct().count() > 1) {
      return Optional.of("give all places the same size");
    }
    int gpu = of.gpu();
    boolean packetsInScratch =
        all(from, of.type()::packetSource) && all(to, of.type()::packetDestination);
    if (!packetsInScratch) {
      return Optional.of("keep packets in scratch");
    }
    return switch (of.type()) {
      case PUT, PPKT, PWS, PWSF ->
          unless(
              from.size() == to.size()
                  && from.stream().allMatch(place -> place.local(gpu))
                  && from.stream().map(Place::buffer).distinct().count() == 1
                  && to.stream().noneMatch(place -> place.local(gpu) || place.multicast())
                  && (!of.isPort() || of.channels().size() == to.size()),
              "give as many remote destinations as own sources, all of one buffer, and with port channels a channel for each");
      case GET ->
          unless(
              from.size() == to.size()
                  && to.stream().allMatch(place -> place.local(gpu))
                  && from.stream().noneMatch(place -> place.local(gpu) || place.multicast()),
              "give as many own destinations as remote sources");
      case COPY, CPKT, UPKT ->
          unless(
              from.size() == 1 && to.size() == 1 && local(from, gpu) && local(to, gpu),
              "give one own source and one own destination");
      case RPPKT ->
          unless(
              from.size() == 1 && local(from, gpu) && remote(to, gpu),
              "give one own source and remote destinations");
      case RE, REPKT ->
          unless(
              local(from, gpu) && to.size() == 1 && local(to, gpu),
              "give own sources and one own destination");
      case RES, RESPKT ->
          unless(
              local(from, gpu)
                  && local(to.subList(0, 1), gpu)
                  && remote(to.subList(1, to.size()), gpu),
              "give own sources, an own destination, then remote ones");
      case RRE ->
          unless(
              local(from.subList(0, 1), gpu)
                  && remote(from.subList(1, from.size()), gpu)
                  && to.size() == 1
                  && local(to, gpu),
              "give an own source, then remote ones, and one own destination");
      case RRES ->
          unless(
              local(from.subList(0, 1), gpu)
                  && remote(from.subList(1, from.size()), gpu)
                  && local(to.subList(0, 1), gpu)
                  && remote(to.subList(1, to.size()), gpu),
              "give an own source, then remote ones, an own destination, then remote ones");
      case RECPKT ->
          unless(
              local(from, gpu) && to.size() == 2 && local(to, gpu),
              "give own sources and two own destinations");
      case RECSPKT ->
          unless(
              local(from, gpu)
                  && to.size() >= 2
                  && local(to.subList(0, 2), gpu)
                  && remote(to.subList(2, to.size()), gpu),
              "give own sources, two own destinations, then remote ones");
      case GLRES ->
          unless(
              from.size() == 1
                  && to.size() == 1
                  && from.getFirst().multicast()
                  && to.getFirst().multicast(),
              "give one switch channel as source and one as destination");
      case GSTORE, GSTOREPKT ->
          unless(
              from.size() == 1 && local(from, gpu) && to.size() == 1 && to.getFirst().multicast(),
              "give one own source and one switch channel as destination");
      default -> throw new IllegalStateException(of.words());
    };
  }

  private static boolean all(List<Place> places, IntPredicate packets) {
    for (int i = 0; i < places.size(); i++) {
      if (packets.test(i) && places.get(i).buffer() != PlanBuffer.S) {
        return false;
      }
    }
    return true;
  }

  private static boolean local(List<Place> places, int gpu) {
    return places.stream().allMatch(place -> place.local(gpu));
  }

  private static boolean remote(List<Place> places, int gpu) {
    return places.stream().noneMatch(place -> place.local(gpu) || place.multicast());
  }

  private static boolean distinct(List<?> all) {
    return new HashSet<>(all).size() == all.size();
  }

  private static Optional<String> unless(boolean right, String remedy) {
    return right ? Optional.empty() : Optional.of(remedy);
  }
}
