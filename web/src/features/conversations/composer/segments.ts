import { useEffect, useState } from 'react';
import { messageLimit } from '#contract/conversations/rules';

interface Segments {
  count: number;
  encoding: 'GSM-7' | 'UCS-2';
  /** Characters used, and how many fit before another segment begins. */
  used: number;
  left: number;
  /** Characters that force UCS-2, each listed once. */
  forcing: string[];
  /**
   * The text with characters replaced by look-alikes of the GSM alphabet; null when that wouldn't
   * avoid UCS-2.
   */
  plain: string | null;
}

/** Units per segment: 160 for one, 153 each for several (GSM-7); 70 and 67 (UCS-2). */
export async function countSegments(text: string): Promise<Segments> {
  const { SegmentedMessage } = await import('sms-segments-calculator');
  const whole = new SegmentedMessage(text);
  const encoding = whole.encodingName;
  const bits = encoding === 'GSM-7' ? 7 : 16;
  const left = Math.floor((whole.segments.at(-1)?.freeSizeInBits() ?? 1120) / bits);
  const forcing = encoding === 'GSM-7' ? [] : [...new Set(whole.getNonGsmCharacters())];
  const smart = forcing.length ? new SegmentedMessage(text, 'auto', true) : null;
  return {
    count: text === '' ? 0 : whole.segmentsCount,
    encoding,
    used: whole.numberOfCharacters,
    left,
    forcing,
    plain: smart?.encodingName === 'GSM-7' ? smart.graphemes.join('') : null,
  };
}

/**
 * Segments of the text being written. The calculator loads with the first character; null until
 * then.
 */
export function useSegments(text: string): Segments | null {
  const [segments, setSegments] = useState<Segments | null>(null);
  useEffect(() => {
    let stays = true;
    if (text === '') setSegments(null);
    else
      void countSegments(text).then(
        (s) => {
          if (stays) setSegments(s);
        },
        () => {
          /* no network: counted with the next letter */
        },
      );
    return () => {
      stays = false;
    };
  }, [text]);
  return segments;
}

/** The error text of A §5 when a text is too long; null while it fits. */
export const tooLong = (text: string, withMedia: boolean): string | null =>
  text.length <= messageLimit
    ? null
    : withMedia
      ? 'Max 1000 characters per MMS'
      : 'Max 1000 characters per SMS';
