"""xylem as a data source of Spark."""
