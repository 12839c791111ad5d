import { lazy, Suspense, useEffect, useRef, type ComponentType } from 'react';
import { sentences } from '#contract/sentences';
import {
  TextInput,
  type DrawerProps,
  type ModalProps,
  type NumberInputProps,
  type TextInputProps,
} from '@mantine/core';
import { toast } from '../toast.ts';

/** Fetches what the page needs all the same, if need be again and again until there is a network. */
export async function importWithRetry<T>(load: () => Promise<T>): Promise<T> {
  for (let waitMs = 1000; ; waitMs = Math.min(waitMs * 2, 30_000)) {
    try {
      return await load();
    } catch {
      await new Promise((done) => setTimeout(done, waitMs));
    }
  }
}

/** Stands for a part that could not be fetched: whoever opened it may do so again. */
function LoadFailed({ onClose, close }: { onClose?: () => void; close?: () => void }): null {
  useEffect(() => {
    (onClose ?? close)?.();
  }, []); // eslint-disable-line -- once
  return null;
}

/**
 * A part that a screen can be used without at first, such as a dialog. It is fetched when it is
 * first shown. One with a property `opened` is first shown when that is true, and stays from then
 * on, so that it can close with its motion and give the focus back. Without a network it says so, and is fetched when it is
 * shown again.
 */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  const make = () =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch {
        latest = make();
        toast.warn(sentences.unreachable);
        return { default: LoadFailed as ComponentType<P> };
      }
    }) as unknown as ComponentType<P>; // its types cannot tell that it takes the properties of what it loads
  let latest = make();
  return function LazyPart(props: P) {
    const wasShown = useRef(false);
    // Where `opened` is something else, a callback for example, it does not say whether to show the part.
    const { opened } = props as { opened?: unknown };
    const isShown = opened !== false;
    const part = useRef({ Part: latest, isShown: false });
    if (isShown && !part.current.isShown) part.current.Part = latest;
    part.current.isShown = isShown;
    const { Part } = part.current;
    wasShown.current ||= isShown;
    return (
      wasShown.current && (
        <Suspense fallback={null}>
          <Part {...props} />
        </Suspense>
      )
    );
  };
}

const loadOverlays = () => import('./lazy/windows.ts');
const loadNumberInput = () => import('./lazy/numbers.ts');
const NumberField = lazy(async () => ({
  default: (await loadNumberInput()).NumberInput as ComponentType<NumberInputProps>,
}));

/** Fetches what most screens need sooner or later, ahead of its first use. */
export const prefetchComponents = (): void =>
  void Promise.all([loadOverlays(), loadNumberInput()]).catch(() => {});

/** Mantine's Modal, with its properties. */
export const Modal = lazyComponent<ModalProps>(async () => (await loadOverlays()).Modal);
/** Mantine's Drawer, with its properties. */
export const Drawer = lazyComponent<DrawerProps>(async () => (await loadOverlays()).Drawer);

/** Mantine's NumberInput, with its properties; until it is there its place is kept. */
export function NumberInput(props: NumberInputProps) {
  const looks = [
    'label',
    'description',
    'aria-label',
    'size',
    'w',
    'maw',
    'style',
    'className',
  ] as const;
  const shown = Object.fromEntries(
    looks.flatMap((name) => (props[name] === undefined ? [] : [[name, props[name]]])),
  );
  const waiting = (
    <TextInput
      {...(shown as TextInputProps)}
      value={String(props.value ?? '')}
      readOnly
      aria-busy
    />
  );
  return (
    <Suspense fallback={waiting}>
      <NumberField {...props} />
    </Suspense>
  );
}
