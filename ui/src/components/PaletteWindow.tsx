import { foldedIncludes } from '#contract/fold';
import { useEffect, useMemo, useState } from 'react';
import { spotlight, Spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { commandStore, type Command, type SearchProvider } from '../commands.ts';
import { navigate } from '../address.ts';
import { useStore } from '../store.ts';
import { t } from '../i18n.ts';
import css from './PaletteWindow.module.css';

const runCommand = (c: Command): void => {
  if (c.href) navigate(c.href);
  else c.run?.();
};

/** The list scrolls, so it must be focusable; its type omits the scroll area's props. */
const reachable = { viewportProps: { tabIndex: 0 } } as object;

/** What the search providers find, 150 ms after typing stopped. */
function useSearchResults(query: string, finders: readonly SearchProvider[]): Command[] {
  const [found, setFound] = useState<Command[]>([]);
  useEffect(() => {
    const text = query.trim();
    if (text.length < 2) return setFound([]);
    const stop = new AbortController();
    const timer = setTimeout(() => {
      void Promise.all(finders.map((f) => f.search(text, stop.signal).catch(() => []))).then(
        (lists) => {
          if (!stop.signal.aborted) setFound(lists.flat());
        },
      );
    }, 150);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query, finders]);
  return found;
}

/** The commands that match all words, and the search results, by group. */
function groupCommands(
  commands: readonly Command[],
  found: readonly Command[],
  query: string,
): [string, Command[]][] {
  const words = query.trim().split(/\s+/).filter(Boolean);
  const fits = (c: Command): boolean =>
    words.every((w) =>
      [c.title, c.description, c.group, ...(c.keywords ?? [])].some((text) =>
        foldedIncludes(text ?? '', w),
      ),
    );
  const all = new Map<string, Command[]>();
  for (const c of [...commands.filter(fits), ...found])
    all.set(c.group, [...(all.get(c.group) ?? []), c]);
  return [...all];
}

/** The command palette: a search box, and under it commands and search results in groups. */
export default function PaletteWindow() {
  const commands = useStore(commandStore, (s) => s.commands);
  const finders = useStore(commandStore, (s) => s.searchProviders);
  const [query, setQuery] = useState('');
  const found = useSearchResults(query, finders);
  useEffect(() => {
    spotlight.open();
  }, []);
  const groups = useMemo(() => groupCommands(commands, found, query), [commands, found, query]);

  return (
    <Spotlight.Root
      attributes={{ content: { 'aria-label': t('Find anything') } }}
      classNames={{ action: css.action, actionsGroup: css.group, content: css.content }}
      centered={false}
      yOffset="12vh"
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      maxHeight={420}
      scrollable
      transitionProps={{ duration: 90 }}
      onSpotlightClose={() => commandStore.set({ open: false })}
    >
      <Spotlight.Search
        placeholder={t('Find a screen, number, conversation…')}
        aria-label={t('Find anything')}
        leftSection={<IconSearch size={18} aria-hidden />}
      />
      <Spotlight.ActionsList {...reachable}>
        {groups.length === 0 && (
          <Spotlight.Empty>{t('No results. Try fewer letters.')}</Spotlight.Empty>
        )}
        {groups.map(([group, list]) => (
          <Spotlight.ActionsGroup key={group} label={group}>
            {list.slice(0, 12).map((c) => (
              <Spotlight.Action
                key={c.id}
                label={c.title}
                {...(c.description && { description: c.description })}
                leftSection={c.icon}
                onClick={() => runCommand(c)}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
