/** Converts any audio the browser can decode to the WAV file the server stores. */

/** Hz, twice the telephone's rate: the server resamples it to 8 kHz with a proper filter. */
const rate = 16_000;

/** Converts MP3, M4A, Ogg, WebM or WAV to mono WAV. Rejects when the browser can't decode it. */
export async function toWav(sound: Blob, name: string): Promise<{ file: File; seconds: number }> {
  // An offline context decodes to the requested rate and needs no audio device.
  const decoded = await new OfflineAudioContext(1, 1, rate).decodeAudioData(
    await sound.arrayBuffer(),
  );
  const channels = Array.from({ length: decoded.numberOfChannels }, (_, i) =>
    decoded.getChannelData(i),
  );
  const samples = Int16Array.from(
    { length: decoded.length },
    (_, i) =>
      Math.max(
        -1,
        Math.min(
          1,
          channels.reduce((sum, channel) => sum + (channel[i] ?? 0), 0) / channels.length,
        ),
      ) * 32_767,
  );
  return {
    file: new File(
      [wavHeader(samples.length), samples],
      `${name.replace(/\.\w+$/, '') || 'sound'}.wav`,
      { type: 'audio/wav' },
    ),
    seconds: decoded.duration,
  };
}

/** The 44-byte header of a 16-bit mono PCM WAV file. */
function wavHeader(frames: number): ArrayBuffer {
  const header = new DataView(new ArrayBuffer(44));
  const text = (at: number, words: string): void =>
    [...words].forEach((letter, i) => header.setUint8(at + i, letter.charCodeAt(0)));
  text(0, 'RIFF');
  header.setUint32(4, 36 + frames * 2, true);
  text(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, rate, true);
  header.setUint32(28, rate * 2, true);
  header.setUint16(32, 2, true);
  header.setUint16(34, 16, true);
  text(36, 'data');
  header.setUint32(40, frames * 2, true);
  return header.buffer;
}
