/**
 * Plays the ringing tone until the returned function is called. Synthesized, no file; silent where
 * the browser does not allow sound yet.
 */
export function startRinging(): () => void {
  let context: AudioContext;
  try {
    context = new AudioContext();
  } catch {
    return () => {};
  }
  const out = new GainNode(context, { gain: 0 });
  out.connect(context.destination);
  const voices = [440, 554].map(
    (frequency) => new OscillatorNode(context, { frequency, type: 'sine' }),
  );
  for (const voice of voices) {
    voice.connect(out);
    voice.start();
  }
  const burst = (): void => {
    const at = context.currentTime;
    for (const start of [0, 0.5]) {
      out.gain.setValueAtTime(0, at + start);
      out.gain.linearRampToValueAtTime(0.06, at + start + 0.03);
      out.gain.setValueAtTime(0.06, at + start + 0.35);
      out.gain.linearRampToValueAtTime(0, at + start + 0.4);
    }
  };
  burst();
  const repeatTimer = setInterval(burst, 2500);
  return () => {
    clearInterval(repeatTimer);
    void context.close();
  };
}
