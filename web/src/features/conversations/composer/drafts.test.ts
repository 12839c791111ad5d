import { beforeEach, describe, expect, it } from 'vitest';
import {
  draftKey,
  restoreDraft,
  setDraftStorage,
  readDraft,
  readFiles,
  writeDraft,
} from './drafts.ts';

const makeBox = () => {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (k: string) => kept.get(k) ?? null,
    setItem: (k: string, v: string) => void kept.set(k, v),
    removeItem: (k: string) => void kept.delete(k),
  };
};
let box = makeBox();
beforeEach(() => {
  box = makeBox();
  setDraftStorage(box);
});
const place = draftKey(9001);

describe('a draft', () => {
  it('survives a reload', () => {
    writeDraft(place, 'Noon is');
    setDraftStorage(box); // as after a reload
    expect(readDraft(place)).toBe('Noon is');
  });
  it('deletes its storage key once empty', () => {
    writeDraft(place, 'x');
    writeDraft(place, '');
    expect(box.kept.size).toBe(0);
  });
  it('belongs to one conversation; notes have a separate draft', () => {
    writeDraft(place, 'for Dana');
    expect(readDraft(draftKey(9002))).toBe('');
    expect(readDraft(draftKey(9001, 'note'))).toBe('');
  });
  it('gets unsent text back, before text written since then', () => {
    writeDraft(place, 'and bring the form');
    restoreDraft(place, 'Noon is fine', [new File(['x'], 'a.png')]);
    expect(readDraft(place)).toBe('Noon is fine\nand bring the form');
    expect(readFiles(place).map((f) => f.name)).toEqual(['a.png']);
  });
  it('lasts as long as the page when storage is blocked', () => {
    setDraftStorage({
      getItem: () => null,
      setItem: () => {
        throw new Error('full');
      },
      removeItem: () => {},
    });
    writeDraft(place, 'still here');
    expect(readDraft(place)).toBe('still here');
  });
});
