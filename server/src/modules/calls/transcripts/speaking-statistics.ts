import type { VoiceSpan } from '../../../platform/audio/voice-activity.ts';

type Speaker = 0 | 1 | 2;
interface Spoken {
  speaker: Speaker;
  start_ms: number;
  end_ms: number;
}
/** A segment of a transcript, as far as it is counted. */
type Segment = Spoken & { words: readonly unknown[]; text: string };
/** What is known of a recording. `voice`: when someone speaks on each channel; null: unknown. */
interface HeardRecording {
  duration_ms: number;
  speakers: readonly Speaker[];
  voice: readonly (readonly VoiceSpan[])[] | null;
}
const isSided = ({ speaker }: Spoken) => speaker !== 0;

/**
 * Talk statistics (A9.3), from voice activity where each side has a channel of its own, else from the
 * times of a transcript. Null: neither is known.
 */
export function statisticsOf(recording: HeardRecording, segments: readonly Segment[]) {
  const heard = (recording.voice ?? []).flatMap((spans, channel) =>
    spans.map(([start_ms, end_ms]): Spoken => ({
      speaker: recording.speakers[channel] ?? 0,
      start_ms,
      end_ms,
    })),
  );
  const isHeard = recording.voice !== null && recording.speakers.some((speaker) => speaker !== 0);
  if (isHeard || (heard.length > 0 && !segments.some(isSided)))
    return {
      ...speakingStatistics(heard, segments, recording.duration_ms),
      from: 'voice' as const,
    };
  if (segments.length === 0) return null;
  return {
    ...speakingStatistics(segments, segments, recording.duration_ms),
    from: 'words' as const,
  };
}

/**
 * Talk statistics of what was spoken when. Percents sum to 100 without silence; unknown speakers count
 * for neither.
 */
export function speakingStatistics(
  spoken: readonly Spoken[],
  segments: readonly Segment[],
  durationMs: number,
) {
  const spansOf = (list: readonly Spoken[]) => list.map((s) => [s.start_ms, s.end_ms] as const);
  const of = (speaker: Speaker) => spoken.filter((s) => s.speaker === speaker);
  const words = (speaker: Speaker) =>
    segments
      .filter((s) => s.speaker === speaker)
      .reduce((n, s) => n + (s.words.length || s.text.split(/\s+/).filter(Boolean).length), 0);
  const [agent, client] = [of(1), of(2)];
  const [agentMs, clientMs] = [coveredMs(spansOf(agent)), coveredMs(spansOf(client))];
  const both = agentMs + clientMs;
  const agentPercent = both ? Math.round((agentMs / both) * 100) : 0;
  const anyone = coveredMs(spansOf(spoken));
  const seconds = (ms: number) => Math.round(ms / 100) / 10;
  return {
    agent: { percent: agentPercent, seconds: seconds(agentMs), words: words(1) },
    client: {
      percent: both ? 100 - agentPercent : 0,
      seconds: seconds(clientMs),
      words: words(2),
    },
    silence_percent: durationMs ? Math.max(0, Math.round((1 - anyone / durationMs) * 100)) : 0,
    overtalk_seconds: seconds(Math.max(0, both - coveredMs(spansOf([...agent, ...client])))),
    longest_monologue_seconds: seconds(longestMonologue(spoken)),
  };
}

/** A shorter pause does not end a monologue. Milliseconds. */
const MAX_PAUSE_MS = 2000;
/** A shorter "mm-hm" of the other side doesn't either. Milliseconds. */
const SHORTEST_INTERRUPTION_MS = 700;
/** The longest uninterrupted speech of one side, milliseconds. */
function longestMonologue(spoken: readonly Spoken[]): number {
  let longest = 0;
  let speech = { speaker: -1, from: 0, to: 0 };
  const said = spoken.filter(
    (s) => isSided(s) && s.end_ms - s.start_ms >= SHORTEST_INTERRUPTION_MS,
  );
  for (const { speaker, start_ms, end_ms } of said.toSorted((a, b) => a.start_ms - b.start_ms)) {
    const continues = speaker === speech.speaker && start_ms - speech.to <= MAX_PAUSE_MS;
    speech = continues
      ? { ...speech, to: Math.max(speech.to, end_ms) }
      : { speaker, from: start_ms, to: end_ms };
    longest = Math.max(longest, speech.to - speech.from);
  }
  return longest;
}

/** Milliseconds covered by spans that may overlap. */
function coveredMs(spans: readonly (readonly [number, number])[]): number {
  let total = 0;
  let end = -Infinity;
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    if (to <= end) continue;
    total += to - Math.max(from, end);
    end = to;
  }
  return total;
}
