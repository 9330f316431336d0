"""Tests with real engines. `npm run test:engines` runs them: they need Java, and environments with pyspark, Sail, Ray and Dask."""
