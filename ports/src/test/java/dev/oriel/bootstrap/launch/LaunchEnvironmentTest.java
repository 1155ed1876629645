package dev.oriel.bootstrap.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LaunchEnvironmentTest {
  private static final Map<String, String> TORCHRUN =
      env(
          "RANK=5 WORLD_SIZE=8 LOCAL_RANK=1 LOCAL_WORLD_SIZE=4 MASTER_ADDR=node0 MASTER_PORT=29500"
              + " TORCHELASTIC_RUN_ID=job7");
  private static final Map<String, String> MPIRUN =
      env(
          "OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_RANK=3"
              + " OMPI_COMM_WORLD_LOCAL_SIZE=4 PMIX_RANK=3 PMIX_NAMESPACE=prte-77@1");
  private static final Map<String, String> SLURM =
      env(
          "SLURM_PROCID=5 SLURM_STEP_NUM_TASKS=9 SLURM_LOCALID=1 SLURM_NODEID=1 SLURM_TASKS_PER_NODE=4(x2),1"
              + " SLURM_JOB_NODELIST=gpu[07-08,12]-ib SLURM_NNODES=3 SLURM_JOB_ID=4711"
              + " SLURM_STEP_ID=2 SLURM_LAUNCH_NODE_IPADDR=10.0.0.1");

  private static Map<String, String> env(String text) {
    Map<String, String> env = new HashMap<>();
    for (String pair : text.split(" ", -1)) {
      env.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    }
    return Map.copyOf(env);
  }

  private static Map<String, String> with(Map<String, String> env, String more) {
    Map<String, String> all = new HashMap<>(env);
    all.putAll(env(more));
    return all;
  }

  @Test
  void plainVariablesSuffice() {
    LaunchEnvironment e =
        LaunchEnvironment.from(
            env(
                "ORIEL_RANK=1 ORIEL_WORLD=4 ORIEL_ADDRESS=head ORIEL_PORT=4000"
                    + " ORIEL_LOCAL_RANK=1 ORIEL_LOCAL_WORLD=2 ORIEL_JOB_ID=j"
                    + " ORIEL_TOKEN=0123456789abcdef"));
    assertThat(e.launcher()).isEqualTo(Launcher.PLAIN);
    assertThat(e.rank()).isEqualTo(1);
    assertThat(e.world()).isEqualTo(4);
    assertThat(e.localRank()).hasValue(1);
    assertThat(e.localWorld()).hasValue(2);
    assertThat(e.address()).isEqualTo("head");
    assertThat(e.port()).isEqualTo(4000);
    assertThat(e.token()).isPresent();
    assertThat(e.jobId()).hasValue("j");
    assertThat(e.toString()).doesNotContain("0123456789abcdef");
  }

  @Test
  void torchrunsStoreKeepsItsPortAndTheNextIsUsed() {
    LaunchEnvironment e = LaunchEnvironment.from(TORCHRUN);
    assertThat(e.launcher()).isEqualTo(Launcher.TORCHRUN);
    assertThat(e.rank()).isEqualTo(5);
    assertThat(e.localRank()).hasValue(1);
    assertThat(e.localWorld()).hasValue(4);
    assertThat(e.address()).isEqualTo("node0");
    assertThat(e.port()).isEqualTo(29501);
    assertThat(e.jobId()).hasValue("job7");
  }

  @Test
  void mpirunOnOneHostNeedsNothingMore() {
    LaunchEnvironment e = LaunchEnvironment.from(MPIRUN);
    assertThat(e.launcher()).isEqualTo(Launcher.OPEN_MPI);
    assertThat(e.address()).isEqualTo("127.0.0.1");
    assertThat(e.port()).isEqualTo(RendezvousAddress.derivedPort("prte-77@1"));
  }

  @Test
  void mpirunAcrossHostsNeedsAnAddress() {
    Map<String, String> two = with(MPIRUN, "OMPI_COMM_WORLD_SIZE=8");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LaunchEnvironment.from(two))
        .withMessageContainingAll("ORIEL_ADDRESS=(unset)", "world=8", "-x ORIEL_ADDRESS");
    assertThat(LaunchEnvironment.from(with(two, "ORIEL_ADDRESS=head")).address()).isEqualTo("head");
  }

  @Test
  void pmiIsUnderstood() {
    LaunchEnvironment e =
        LaunchEnvironment.from(
            env("PMI_RANK=0 PMI_SIZE=2 MPI_LOCALRANKID=0 MPI_LOCALNRANKS=2 ORIEL_PORT=4000"));
    assertThat(e.launcher()).isEqualTo(Launcher.PMI);
    assertThat(e.address()).isEqualTo("127.0.0.1");
  }

  @Test
  void slurmProvidesTheFirstHostAndTheTasksOfThisNode() {
    LaunchEnvironment e = LaunchEnvironment.from(SLURM);
    assertThat(e.launcher()).isEqualTo(Launcher.SLURM);
    assertThat(e.rank()).isEqualTo(5);
    assertThat(e.world()).isEqualTo(9);
    assertThat(e.localRank()).hasValue(1);
    assertThat(e.localWorld()).hasValue(4);
    assertThat(e.address()).isEqualTo("gpu07-ib");
    assertThat(e.jobId()).hasValue("4711.2");
    assertThat(e.port()).isEqualTo(RendezvousAddress.derivedPort("4711.2"));
  }

  @Test
  void theHostsOfAStepTakePrecedenceOverItsJobs() {
    Map<String, String> step = with(SLURM, "SLURM_STEP_NODELIST=gpu[12]-ib");
    assertThat(LaunchEnvironment.from(step).address()).isEqualTo("gpu12-ib");
  }

  /** As Slurm 22.05 starts it: task 0 of the requested number, none of which has been started. */
  @Test
  void aBatchScriptIsNoTask() {
    Map<String, String> script =
        env(
            "SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_NPROCS=4 SLURM_LOCALID=0 SLURM_NODEID=0"
                + " SLURM_TASKS_PER_NODE=4 SLURM_JOB_ID=2 SLURM_JOB_NUM_NODES=1");
    assertThat(LaunchEnvironment.find(script)).isEmpty();
    Map<String, String> mpirun = with(script, "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2");
    mpirun.putAll(env("OMPI_COMM_WORLD_LOCAL_SIZE=2 PMIX_NAMESPACE=7"));
    assertThat(LaunchEnvironment.from(mpirun).rank()).isEqualTo(1);
  }

  /** A step may have fewer tasks than its job. */
  @Test
  void slurmsWorldIsTheStepsWorld() {
    Map<String, String> step = with(SLURM, "SLURM_NTASKS=32");
    assertThat(LaunchEnvironment.from(step).world()).isEqualTo(9);
  }

  @Test
  void srunWithPmiGivesTheSameWorld() {
    Map<String, String> pmi2 = with(SLURM, "PMI_RANK=5 PMI_SIZE=9 PMI_JOBID=4711.2 PMI_FD=10");
    assertThat(LaunchEnvironment.from(pmi2)).isEqualTo(LaunchEnvironment.from(SLURM));
  }

  /** MPICH starts its proxies with srun, and each of them starts tasks of its own. */
  @Test
  void anMpiexecWithinAStepTakesPrecedence() {
    Map<String, String> nested =
        env(
            "SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 SLURM_STEP_ID=0 PMI_RANK=0 PMI_SIZE=1"
                + " MPI_LOCALRANKID=0 MPI_LOCALNRANKS=1");
    assertThat(LaunchEnvironment.from(nested).launcher()).isEqualTo(Launcher.PMI);
  }

  @Test
  void slurmOnOneNodeUsesTheLoopback() {
    Map<String, String> one = with(SLURM, "SLURM_STEP_NUM_NODES=1");
    assertThat(LaunchEnvironment.from(one).address()).isEqualTo("127.0.0.1");
  }

  @Test
  void slurmWithoutAListFallsBackToTheLaunchingNode() {
    Map<String, String> bare = with(SLURM, "SLURM_JOB_NODELIST=");
    assertThat(LaunchEnvironment.from(bare).address()).isEqualTo("10.0.0.1");
  }

  @Test
  void theFirstLauncherThatFitsWins() {
    Map<String, String> nested =
        with(with(SLURM, "SLURM_PROCID=0"), "MASTER_ADDR=node0 MASTER_PORT=9000");
    nested.putAll(TORCHRUN);
    assertThat(LaunchEnvironment.from(nested).launcher()).isEqualTo(Launcher.TORCHRUN);
    nested.putAll(env("ORIEL_RANK=0 ORIEL_WORLD=2"));
    assertThat(LaunchEnvironment.from(nested).world()).isEqualTo(2);
  }

  @Test
  void ourOwnAddressPortAndTokenCompleteAnyLauncher() {
    LaunchEnvironment e =
        LaunchEnvironment.from(
            with(TORCHRUN, "ORIEL_ADDRESS=10.1.1.1 ORIEL_PORT=7777 ORIEL_TOKEN=0123456789abcdef"));
    assertThat(e.address()).isEqualTo("10.1.1.1");
    assertThat(e.port()).isEqualTo(7777);
    assertThat(e.token()).isPresent();
  }

  @Test
  void aWorldOfOneNeedsNeitherAddressNorPort() {
    LaunchEnvironment e = LaunchEnvironment.from(env("ORIEL_RANK=0 ORIEL_WORLD=1"));
    assertThat(e.address()).isEqualTo("127.0.0.1");
    assertThat(e.port()).isZero();
    assertThat(e.localRank()).isEqualTo(OptionalInt.empty());
    assertThat(e.token()).isEqualTo(Optional.empty());
  }

  @Test
  void noLauncherAtAllIsEmptyOrAnErrorThatListsThem() {
    Map<String, String> allocation = env("SLURM_NTASKS=8 SLURM_JOB_ID=1 HOME=/root");
    assertThat(LaunchEnvironment.find(allocation)).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LaunchEnvironment.from(allocation))
        .withMessageContainingAll(
            "ORIEL_RANK+ORIEL_WORLD", "SLURM_PROCID+SLURM_STEP_NUM_TASKS", "torchrun");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ORIEL_RANK=0                                       | ORIEL_RANK=0, ORIEL_WORLD=(unset)
          ORIEL_WORLD=2 RANK=0 WORLD_SIZE=2                  | ORIEL_RANK=(unset), ORIEL_WORLD=2
          RANK=0                                             | RANK=0, WORLD_SIZE=(unset)
          SLURM_STEP_NUM_TASKS=2                             | SLURM_PROCID=(unset)
          ORIEL_RANK=2 ORIEL_WORLD=2                         | allowed=0..1
          ORIEL_RANK=-1 ORIEL_WORLD=2                        | ORIEL_RANK=-1
          ORIEL_RANK=x ORIEL_WORLD=2                         | ORIEL_RANK=x
          ORIEL_RANK=0 ORIEL_WORLD=0                         | ORIEL_WORLD=0
          ORIEL_RANK=0 ORIEL_WORLD=2 WORLD_SIZE=4            | ORIEL_WORLD=2, WORLD_SIZE=4
          ORIEL_RANK=0 ORIEL_WORLD=2 ORIEL_LOCAL_RANK=2      | ORIEL_LOCAL_RANK=2
          ORIEL_RANK=0 ORIEL_WORLD=4 ORIEL_LOCAL_RANK=2 ORIEL_LOCAL_WORLD=2 | allowed=0..1
          ORIEL_RANK=0 ORIEL_WORLD=2 ORIEL_ADDRESS=h         | ORIEL_PORT=(unset)
          ORIEL_RANK=0 ORIEL_WORLD=2 ORIEL_PORT=1            | ORIEL_ADDRESS=(unset)
          ORIEL_RANK=0 ORIEL_WORLD=2 ORIEL_ADDRESS=h ORIEL_PORT=70000 | ORIEL_PORT=70000
          RANK=0 WORLD_SIZE=2 MASTER_ADDR=h MASTER_PORT=65535 | MASTER_PORT=65535
          ORIEL_RANK=0 ORIEL_WORLD=1 ORIEL_TOKEN=short       | openssl
          """)
  void invalidValuesAreNamedWithTheAllowedOnes(String variables, String shown) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LaunchEnvironment.from(env(variables.strip())))
        .withMessageContaining(shown);
  }

  @Test
  void redundantVariablesThatAgreeAreAccepted() {
    assertThat(LaunchEnvironment.from(with(SLURM, "WORLD_SIZE=9")).world()).isEqualTo(9);
  }

  @Test
  void pmixMustAgreeWithMpirun() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LaunchEnvironment.from(with(MPIRUN, "PMIX_RANK=1")))
        .withMessageContainingAll("OMPI_COMM_WORLD_RANK=3", "PMIX_RANK=1");
  }

  @Test
  void slurmCountsThatDoNotCoverTheNodeAreNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LaunchEnvironment.from(with(SLURM, "SLURM_NODEID=3")))
        .withMessageContaining("SLURM_TASKS_PER_NODE=4(x2),1");
  }
}
