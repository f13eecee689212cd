// A job's progress as it comes. EventSource cannot send a key, so the stream is read with fetch; where it does not come
// through (a proxy that buffers), the job is asked for again and again instead.
import { call, send } from "./api.js";

const PAUSE_MS = 1000;
const MOST_PAUSE_MS = 15000;
const POLL_MS = 3000;
const STREAM_TRIES = 3;
const FIRST_MS = 6000;
const SILENT_MS = 45000;

/** Calls `onJob(job)` for each snapshot until the job has ended or `signal` fires; `onTrouble(refusal)` while it cannot be asked. */
export async function watchJob(jobId, key, { onJob, onTrouble, signal }) {
  let lastId = null;
  let streamFailures = 0;
  let failures = 0;
  const onEvent = (job, id) => {
    streamFailures = 0;
    lastId = id ?? lastId;
    onJob(job);
  };
  while (!signal.aborted) {
    try {
      if (streamFailures < STREAM_TRIES && (await readStream(jobId, key, lastId, signal, onEvent))) return;
      streamFailures += 1;
      if (signal.aborted || (await poll(jobId, key, onJob))) return;
      failures = 0;
      await pause(streamFailures < STREAM_TRIES ? PAUSE_MS : POLL_MS, signal);
    } catch (trouble) {
      if (signal.aborted) return;
      if ([401, 403, 404].includes(trouble.status)) throw trouble;
      failures += 1;
      onTrouble(trouble);
      await pause(Math.min(MOST_PAUSE_MS, PAUSE_MS * 2 ** Math.min(failures, 5)), signal);
    }
  }
}

/** True when the job has ended; false when the stream broke off, did not begin, or fell silent. What is wrong, the next poll says. */
async function readStream(jobId, key, lastId, signal, onEvent) {
  const own = new AbortController();
  const stop = () => own.abort();
  signal.addEventListener("abort", stop);
  let alarm = setTimeout(stop, FIRST_MS);
  const headers = { Accept: "text/event-stream" };
  if (lastId !== null) headers["Last-Event-ID"] = lastId;
  try {
    const response = await send("GET", `/jobs/${encodeURIComponent(jobId)}/events`, { key, headers, signal: own.signal });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const parser = eventParser();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return false;
      clearTimeout(alarm);
      alarm = setTimeout(stop, SILENT_MS);
      for (const event of parser(value)) {
        const job = JSON.parse(event.data);
        onEvent(job, event.id);
        if (job.stage === "ended") return true;
      }
    }
  } catch {
    return false;
  } finally {
    clearTimeout(alarm);
    signal.removeEventListener("abort", stop);
    own.abort();
  }
}

async function poll(jobId, key, onJob) {
  const job = await call("GET", `/jobs/${encodeURIComponent(jobId)}`, { key });
  onJob(job);
  return job.stage === "ended";
}

/** Text in, complete events out. A field may be cut anywhere between two pieces. */
export function eventParser() {
  let rest = "";
  return (piece) => {
    rest += piece;
    const events = [];
    for (;;) {
      const end = rest.match(/\r?\n\r?\n/);
      if (!end) return events;
      const event = { id: null, data: "" };
      for (const line of rest.slice(0, end.index).split(/\r?\n/)) {
        const [, name, value] = line.match(/^([^:]*):? ?(.*)$/s);
        if (name === "data") event.data += event.data ? `\n${value}` : value;
        if (name === "id") event.id = value;
      }
      rest = rest.slice(end.index + end[0].length);
      if (event.data) events.push(event);
    }
  };
}

function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => { clearTimeout(timer); resolve(); }, { once: true });
  });
}
