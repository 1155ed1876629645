/* The all-gather around a ring that SimGrid predicts: n - 1 steps, each a send and a receive. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int r, n;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  int bytes = argc > 1 ? atoi(argv[1]) : 8;
  /* One allocation for all ranks: as in oriel sim, no data is kept apart. */
  char *out = SMPI_SHARED_MALLOC((size_t)n * bytes);
  double time = MPI_Wtime();
  for (int s = 0; s < n - 1; s++) {
    MPI_Sendrecv(out + (size_t)((r - s + n) % n) * bytes, bytes, MPI_BYTE, (r + 1) % n, 0,
                 out + (size_t)((r - s - 1 + n) % n) * bytes, bytes, MPI_BYTE, (r - 1 + n) % n, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  time = MPI_Wtime() - time;
  double most;
  MPI_Reduce(&time, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (r == 0) {
    printf("predicted_us=%.3f\n", most * 1e6);
  }
  SMPI_SHARED_FREE(out);
  MPI_Finalize();
  return 0;
}
