// A race that ThreadSanitizer must report, so that its silence elsewhere means something.
#include <cstdio>

int main() {
  int counter = 0;
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 100000; ++i) ++counter;
  std::printf("%d\n", counter);
}
