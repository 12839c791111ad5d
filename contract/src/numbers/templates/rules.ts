/**
 * Rule of B §5: with AI fields on, an update omits recording and transcription; the server turns
 * both on, because AI needs them (A6.4).
 */
export function templateInput<
  T extends {
    ai_eav_enabled?: boolean | undefined;
    record?: unknown;
    call_transcription_enabled?: unknown;
  },
>(template: T): T | Omit<T, 'record' | 'call_transcription_enabled'> {
  if (!template.ai_eav_enabled) return template;
  const { record: _, call_transcription_enabled: __, ...rest } = template;
  return rest;
}
