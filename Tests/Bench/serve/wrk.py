"""wrk, whose report is a line of JSON."""
import json
import shutil
import subprocess

DONE = """
function done(summary, latency)
   local e = summary.errors
   io.write(string.format('\\nJSON{"seconds":%f,"requests":%d,"bytes":%d,"errors":%d,"p50":%f,"p99":%f,"p999":%f,"max":%f}\\n',
      summary.duration / 1e6, summary.requests, summary.bytes, e.connect + e.read + e.write + e.status + e.timeout,
      latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency:percentile(99.9) / 1e3, latency.max / 1e3))
end
"""

# Each connection waits for a random time before it asks again, so that requests come as they do from many people
# (nearly a Poisson process) and at a rate that does not rise when the server is quick.
PACED = "function delay() return math.floor(-math.log(1 - math.random()) * %f + math.random()) end\n"

present = shutil.which("wrk") is not None


class Wrk:
    def __init__(self, folder):
        self.folder = folder

    def run(self, port, path, seconds, connections=32, delay=None):
        """`delay`: milliseconds a connection waits on average. Times in milliseconds."""
        script = self.folder / "wrk.lua"
        script.write_text(DONE + (PACED % delay if delay else ""))
        output = subprocess.run(
            ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", script, f"http://127.0.0.1:{port}{path}"],
            capture_output=True, text=True, check=True).stdout
        result = json.loads(output[output.index("JSON") + 4:])
        if result["errors"]:
            raise SystemExit(f"{result['errors']} of {result['requests']} requests to {path} failed")
        result["rate"] = result["requests"] / result["seconds"]
        return result
