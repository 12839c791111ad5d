import { Children, Fragment, isValidElement, useEffect, useId, useRef, useState } from 'react';
import { ActionIcon, Button, CloseButton, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react';
import { useShortcuts } from '../shortcuts.ts';
import { t } from '../i18n.ts';
import css from './Filters.module.css';

interface SearchFieldProps {
  value: string;
  onChange: (value: string) => void;
  label: string;
  placeholder?: string;
  debounceMs?: number;
  width?: number | string;
  /** The longest search the list accepts. */
  maxLength?: number;
}

/** Text that is reported `waitMs` after the last change, or at once by `setNow`. */
function useDebouncedText(value: string, onChange: (value: string) => void, waitMs: number) {
  const [text, setText] = useState(value);
  const reported = useRef(value);
  useEffect(() => {
    if (value !== reported.current) {
      reported.current = value;
      setText(value);
    }
  }, [value]);
  useEffect(() => {
    if (text === reported.current) return;
    const timer = setTimeout(() => {
      reported.current = text;
      onChange(text);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [text, onChange, waitMs]);
  const setNow = (next: string): void => {
    setText(next);
    reported.current = next;
    onChange(next);
  };
  return { text, setText, setNow };
}

/** Search as you type, debounced; "/" focuses it, Escape clears it. */
export function SearchField({
  value,
  onChange,
  label,
  placeholder,
  debounceMs: waitMs = 250,
  width = 260,
  maxLength = 100,
}: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const { text, setText, setNow } = useDebouncedText(value, onChange, waitMs);
  useShortcuts([
    { keys: '/', label: t('Search'), group: t('Lists'), run: () => field.current?.focus() },
  ]);
  return (
    <TextInput
      ref={field}
      type="search"
      aria-label={label}
      placeholder={placeholder ?? label}
      value={text}
      w={width}
      maxLength={maxLength}
      className={css.search}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text ? (
          <CloseButton
            size={24}
            aria-label={t('Clear search')}
            onClick={() => {
              setNow('');
              field.current?.focus();
            }}
          />
        ) : null
      }
      onChange={(e) => setText(e.currentTarget.value)}
      onKeyDown={(e) => {
        if (e.key === 'Enter') setNow(e.currentTarget.value);
        if (e.key === 'Escape' && text) {
          e.stopPropagation();
          setNow('');
        }
      }}
    />
  );
}

/**
 * Search, filters, "Clear" when one is set, and the list's actions (export, columns) on the right.
 * Phones show the search and a button that reveals the filters, so that the list starts above the
 * fold.
 */
export function FilterBar({
  children,
  isFiltered = false,
  onClear,
  right,
}: {
  children: React.ReactNode;
  isFiltered?: boolean;
  onClear?: () => void;
  right?: React.ReactNode;
}) {
  const narrow =
    useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false }) ?? false;
  const [open, setOpen] = useState(false);
  const id = useId();
  const [first, ...others] = Children.toArray(children).flatMap((child) =>
    isValidElement<{ children?: React.ReactNode }>(child) && child.type === Fragment
      ? Children.toArray(child.props.children)
      : [child],
  );
  const folded = narrow && others.length > 1;
  return (
    <div className={css.bar} role="search" data-folded={folded || undefined}>
      {folded ? first : children}
      {folded && (
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('Filters')}
          aria-expanded={open}
          aria-controls={id}
          data-set={isFiltered || undefined}
          className={css.fold ?? ''}
          onClick={() => setOpen(!open)}
        >
          <IconAdjustmentsHorizontal size={16} aria-hidden />
        </ActionIcon>
      )}
      {folded && (
        <div id={id} className={css.others} hidden={!open}>
          {others}
        </div>
      )}
      {isFiltered && onClear && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onClear}>
          {t('Clear filters')}
        </Button>
      )}
      {right && <div className={css.right}>{right}</div>}
    </div>
  );
}
