import { describe, expect, it } from "vitest";
import { lastingStream } from "./lastingStream";

const events = [...Array(12).keys()].map(
  (number) => `data: {"type":"text-delta","delta":"wört ${number}"}\n\n`,
);
const whole = `${events.join("")}data: [DONE]\n\n`;
const encode = (text: string) => new TextEncoder().encode(text);

/** Gives bytes in pieces of a size, and breaks behind so many of them, or ends early. */
function connection(text: string, { size = 7, breaksAt = Number.POSITIVE_INFINITY, ends = false } = {}) {
  const bytes = encode(text);
  let at = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= breaksAt) return ends ? controller.close() : controller.error(new TypeError("network error"));
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, Math.min(at + size, breaksAt)));
      at += size;
    },
  });
}

const from = (start: number) => `${events.slice(start).join("")}data: [DONE]\n\n`;
const withoutNotices = (text: string) =>
  text.replaceAll(/data: \{"type":"data-(notice|connected)".*\n\n/g, "");
const read = async (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

describe("a response that outlives its connection", () => {
  it("is the same as ever where nothing breaks", async () => {
    const never = async () => {
      throw new Error("asked");
    };
    expect(await read(lastingStream(connection(whole), never))).toBe(whole);
  });

  it("is whole wherever the connection breaks, in the middle of a character too", async () => {
    for (let breaksAt = 0; breaksAt < encode(whole).length; breaksAt++)
      for (const ends of [true, false]) {
        const resume = async (start: number) => new Response(from(start));
        const stream = lastingStream(connection(whole, { breaksAt, ends }), resume, { pauses: [0] });
        expect(withoutNotices(await read(stream))).toBe(whole);
      }
  });

  it("is whole when it breaks again and again, and no network is there for a while", async () => {
    let tries = 0;
    const resume = async (start: number) => {
      tries += 1;
      if (tries % 3 !== 0) throw new TypeError("offline");
      return new Response(connection(from(start), { breaksAt: 90 }));
    };
    const stream = lastingStream(connection(whole, { breaksAt: 50 }), resume, { pauses: [0, 0, 0] });
    expect(withoutNotices(await read(stream))).toBe(whole);
  });

  it("says that the connection was lost, and that it is back", async () => {
    const resume = async (start: number) => new Response(from(start));
    const text = await read(lastingStream(connection(whole, { breaksAt: 60 }), resume, { pauses: [0] }));
    const told = text.split("\n\n").filter((event) => event.includes('"transient":true'));
    expect(told).toHaveLength(2);
    expect(told[0]).toContain("The connection was lost; the answer goes on when it is back.");
    expect(told[1]).toContain('"data-connected"');
  });

  it("fails as it broke where the network stays away", async () => {
    const away = async () => {
      throw new TypeError("offline");
    };
    const stream = lastingStream(connection(whole, { breaksAt: 60 }), away, { pauses: [0, 0] });
    await expect(read(stream)).rejects.toThrow("network error");
  });

  it("says that it is gone where the server has it no more, however the connection broke", async () => {
    for (const ends of [true, false]) {
      const empty = new ReadableStream({ start: (controller) => controller.close() });
      const gone = async () => ({ status: 204, body: empty }) as Response;
      const stream = lastingStream(connection(whole, { breaksAt: 60, ends }), gone, { pauses: [0, 0] });
      await expect(read(stream)).rejects.toMatchObject({ details: { code: "response_gone" } });
    }
  });

  it("is not asked for again after a Stop", async () => {
    const stop = new AbortController();
    stop.abort(new DOMException("stopped", "AbortError"));
    let asked = 0;
    const resume = async () => {
      asked += 1;
      return new Response(null, { status: 204 });
    };
    const stream = lastingStream(connection(whole, { breaksAt: 60 }), resume, {
      signal: stop.signal,
      pauses: [0],
    });
    await expect(read(stream)).rejects.toThrow("stopped");
    expect(asked).toBe(0);
  });
});
