/** One line of a dialog; channel 0 is the caller, 1 our side. */
export interface SpokenLine {
  channel: 0 | 1;
  text: string;
  startMs: number;
  endMs: number;
}

/** The metadata of a transcription as the speech engine would have stored it. */
export function transcriptMetadata(
  lines: readonly SpokenLine[],
  { durationMs, channels, at }: { durationMs: number; channels: number; at: Date },
) {
  return {
    engine: 'sandbox (the script that was read)',
    model: null,
    language: 'en-US',
    confidence: 1,
    duration_ms: durationMs,
    channels,
    created_at: at,
    redactions: [],
    segments: lines.map((l, i) => ({
      i,
      speaker: l.channel === 0 ? (2 as const) : (1 as const),
      channel: l.channel,
      start_ms: l.startMs,
      end_ms: l.endMs,
      text: l.text,
      confidence: 1,
      words: transcriptWords(l),
    })),
    keywords: [],
    topics: [],
    summary: null,
    sentiment: null,
    skipped_reason: null,
    error: null,
  };
}

/** Every word with its share of its line's time, so that a click seeks to it. */
function transcriptWords(line: SpokenLine) {
  const words = line.text.split(' ');
  const letters = words.reduce((n, w) => n + w.length + 1, 0);
  let at = line.startMs;
  return words.map((w) => {
    const long = ((w.length + 1) / letters) * (line.endMs - line.startMs);
    const from = at;
    at += long;
    return { w, start_ms: Math.round(from), end_ms: Math.round(at), confidence: 1 };
  });
}

/** The peak of each of 400 equal stretches, 0 to 1. */
export function waveformPeaks(samples: Int16Array): number[] {
  const count = 400;
  const step = Math.max(1, Math.floor(samples.length / count));
  return Array.from({ length: count }, (_, i) => {
    let top = 0;
    for (let j = i * step; j < Math.min((i + 1) * step, samples.length); j++)
      top = Math.max(top, Math.abs(samples[j]!));
    return Math.round((top / 32768) * 1000) / 1000;
  });
}
