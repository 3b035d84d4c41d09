"""Polars and DuckDB, asked what the core is asked: sides of `cargo xtask bench histories`.

    python histories.py polars|duckdb FOLDER THREADS whole|each

Reads the columns in FOLDER into the engine's own form, then answers each line of the input with one of JSON:
`go` does all the work once and says how long that took, `answer` says what came out.

The rows stand by object and sequence, and there are two ways to get at the row before one:

- `each`: a window for each object (`shift().over("object")`, `lag() over (partition by object order by sequence)`),
  as their documentation does it. It is right for rows in any order.
- `whole`: a shift of whole columns, and a comparison of the object with that of the row before. It is right only since
  the rows are known to be sorted, and many times as fast.

All else is the same: whatever was measured to be the fastest of several ways.
"""

import json
import sys
import time
from pathlib import Path

import numpy

COLUMNS = {"object": "u4", "time": "i8", "from": "u1", "to": "u1", "sequence": "u4"}
STATES = 9
# Percentiles are nearest-rank, as `quantile_disc` and "equiprobable" are.
PARTS = (0.5, 0.9, 0.99)
# In the answer of where an object was: added to the state if that is uncertain; instead of it if there was no object.
UNCERTAIN, NOT_CREATED = 16, 255


def columns(folder):
    return {name: numpy.fromfile(folder / name, dtype=f"<{kind}") for name, kind in COLUMNS.items()}


class Polars:
    """Frames of the in-memory engine, which is the quicker one here. Nine filters are quicker than one `group_by`."""

    def __init__(self, folder, meta, threads, way):
        import polars as pl

        assert threads in (0, pl.thread_pool_size()), "the variable POLARS_MAX_THREADS says otherwise"
        self.pl, self.at = pl, meta["at"]
        self.log = pl.DataFrame({name: pl.Series(values) for name, values in columns(folder).items()})
        self.log = self.log.with_columns(pl.col("object").set_sorted())
        self.ways = pl.Series([16 * before + after for before, after in meta["ways"]], dtype=pl.UInt16).implode()
        each = way == "each"
        self.before = lambda name: pl.col(name).shift(1).over("object") if each else pl.col(name).shift(1)
        self.same = self.before("to").is_not_null() if each else pl.col("object") == self.before("object")

    def run(self):
        pl, before = self.pl, self.before
        col, at, engine = pl.col, self.at, "in-memory"
        log = self.log.lazy()
        pairs = log.select(
            "object",
            "time",
            "from",
            same=self.same,
            stay=col("time") - before("time"),
            chain=col("from") != before("to"),
            sequence=col("sequence") != before("sequence") + 1,
        ).collect(engine=engine)
        is_odd = col("chain") | col("sequence") | (col("stay") < 0)
        stays = pairs.lazy().filter(col("same") & ~is_odd).select("from", "stay").collect(engine=engine)
        stay = col("stay")
        numbers = [
            stay.len().alias("count"),
            stay.sum().alias("sum"),
            stay.max().alias("max"),
            *(stay.quantile(part, "equiprobable").cast(pl.Int64).alias(f"p{part}") for part in PARTS),
        ]
        is_way = (col("from").cast(pl.UInt16) * 16 + col("to")).is_in(self.ways)
        early = log.filter(col("time") <= at)
        odd, ways, last, *dwell = pl.collect_all(
            [
                pairs.lazy().filter(col("same") & is_odd),
                log.select((~is_way).sum()),
                early.filter((col("object") != col("object").shift(-1)).fill_null(True)).select("object", "to"),
                *(stays.lazy().filter(col("from") == state).select(numbers) for state in range(STATES)),
            ],
            engine=engine,
        )
        came = col("time") - stay
        faults = odd.select(col("chain", "sequence").sum(), time=(stay < 0).sum())
        gap = (col("chain") | col("sequence")) & (came < at) & (col("time") > at)
        unsure = odd.filter(gap | ((came > at) & (col("time") <= at)))["object"].implode()
        places = last.select("object", place=col("to") + UNCERTAIN * col("object").is_in(unsure))
        return faults, ways, dwell, places, places.group_by("place").len()

    def answer(self, result):
        faults, ways, dwell, places, spread = result
        dwell = [[value or 0 for value in frame.row(0)] for frame in dwell]
        chain, sequence, time = faults.row(0)
        places = [places[name].to_numpy() for name in ("object", "place")]
        return dwell, (chain, sequence, ways.item(), time), places, spread.rows()


class Duckdb:
    """A table in memory. A second scan is quicker than a temporary table of all rows."""

    def __init__(self, folder, meta, threads, way):
        import duckdb

        self.connection = duckdb.connect()
        if threads:
            self.connection.execute(f"set threads = {threads}")
        log = columns(folder)
        self.connection.execute("create table log as select * from log")
        window, same = ("()", "object = lag(object) over w")
        if way == "each":
            window, same = ("(partition by object order by sequence)", "lag(object) over w is not null")
        at = meta["at"]
        pairs = f"""(select object, "time", "from", lag("time") over w as came, {same} as same,
            "from" != lag("to") over w as chain, sequence != lag(sequence) over w + 1 as skip
            from log window w as {window})"""
        is_odd = """(chain or skip or "time" < came)"""
        ways = ", ".join(str(16 * before + after) for before, after in meta["ways"])
        unsure = f"""select object from odd
            where (chain or skip) and came < {at} and "time" > {at} or came > {at} and "time" <= {at}"""
        self.queries = {
            "odd": f"create or replace temp table odd as from {pairs} where same and {is_odd}",
            "faults": """select count(*) filter (chain), count(*) filter (skip), count(*) filter ("time" < came) from odd""",
            "ways": f"""select coalesce(sum(count), 0)::bigint
                from (select "from", "to", count(*) as count from log group by all)
                where "from"::usmallint * 16 + "to" not in ({ways})""",
            "dwell": f"""select "from", count(*), sum(stay), max(stay), quantile_disc(stay, {list(PARTS)})
                from (select "from", "time" - came as stay from {pairs} where same and not {is_odd}) group by "from" """,
            "places": f"""create or replace temp table places as
                select object, "to" + {UNCERTAIN} * (object in ({unsure}))::utinyint as place
                from (select object, "to", lead(object) over () as next from log where "time" <= {at})
                where next is distinct from object""",
            "spread": "select place, count(*) from places group by place",
        }

    def run(self):
        return {name: self.connection.execute(query).fetchall() for name, query in self.queries.items()}

    def answer(self, result):
        dwell = [[0] * 6 for _ in range(STATES)]
        for state, count, total, most, parts in result["dwell"]:
            dwell[state] = [count, total, most, *parts]
        chain, skip, back = result["faults"][0]
        places = self.connection.execute("select object, place from places").fetchnumpy()
        return dwell, (chain, skip, result["ways"][0][0], back), list(places.values()), result["spread"]


def told(meta, dwell, faults, places, spread):
    """The answer in the form that all sides give."""
    where = numpy.full(meta["objects"], NOT_CREATED, dtype=numpy.uint8)
    where[places[0]] = places[1]
    letters = numpy.frombuffer(b"abcdefghi.......ABCDEFGHI" + b"-" * 231, dtype=numpy.uint8)
    spread = dict(spread)
    known = [spread.get(state, 0) for state in range(STATES)]
    uncertain = sum(spread.get(state + UNCERTAIN, 0) for state in range(STATES))
    names = ("count", "sum", "max", "p50", "p90", "p99")
    return {
        "dwell": [
            {**dict(zip(names, row)), "sum": str(row[1]), "mean": int(row[1]) // max(row[0], 1)} for row in dwell
        ],
        "distribution": [*known, uncertain, meta["objects"] - sum(known) - uncertain],
        "state_at": letters[where].tobytes().decode(),
        "faults": dict(zip(("chain", "sequence", "way", "time"), faults)),
    }


def main():
    engine, folder, threads, way = sys.argv[1:]
    folder = Path(folder)
    meta = json.loads((folder / "meta.json").read_text())
    side = {"polars": Polars, "duckdb": Duckdb}[engine](folder, meta, int(threads), way)
    print("ready", flush=True)
    for line in sys.stdin:
        if line.strip() == "go":
            wall, used = time.perf_counter(), time.process_time()
            result = side.run()
            took = {"wall": time.perf_counter() - wall, "used": time.process_time() - used}
            print(json.dumps(took), flush=True)
        else:
            print(json.dumps(told(meta, *side.answer(result))), flush=True)


if __name__ == "__main__":
    main()
