import { useState } from 'react';
import { ActionIcon, Popover, TextInput, Tooltip } from '@mantine/core';
import { IconMoodSmile } from '@tabler/icons-react';
import { t } from '#ui';
import { emoji } from './emoji.ts';
import css from './EmojiPicker.module.css';

/** Pick an emoji by sight or by word. */
export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const [open, setOpen] = useState(false);
  const [word, setWord] = useState('');
  const found = emoji.filter(([, words]) => words.includes(word.trim().toLowerCase()));
  const pick = (e: string): void => { setOpen(false); setWord(''); onPick(e); };
  return (
    <Popover opened={open} onChange={setOpen} position="top-start" width={300} trapFocus>
      <Popover.Target><Tooltip label={t('Emoji')}><ActionIcon aria-label={t('Emoji')} aria-expanded={open} onClick={() => setOpen(!open)}><IconMoodSmile size={18} stroke={1.75} /></ActionIcon></Tooltip></Popover.Target>
      <Popover.Dropdown p="xs" aria-label={t('Emoji')}>
        <TextInput data-autofocus size="xs" aria-label={t('Find emoji')} placeholder={t('Find emoji')} value={word} onChange={(e) => setWord(e.currentTarget.value)} onKeyDown={(e) => { if (e.key === 'Enter' && found[0]) { e.preventDefault(); pick(found[0][0]); } }} />
        <div className={css.grid}>{found.map(([e, words]) => <button key={e} type="button" className={css.one} aria-label={words} title={words} onClick={() => pick(e)}>{e}</button>)}</div>
        {found.length === 0 && <p className={css.none}>{t('Nothing found')}</p>}
      </Popover.Dropdown>
    </Popover>
  );
}
