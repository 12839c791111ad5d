import { lazy, Suspense, useRef, type ComponentType } from 'react';
import { TextInput, type DrawerProps, type ModalProps, type NumberInputProps, type TextInputProps } from '@mantine/core';

/**
 * A part that a screen can be used without at first, such as a dialog. It is fetched when it is
 * first shown. One with a property `opened` is first shown when that is true, and stays from then
 * on, so that it can close with its motion and give the focus back.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  // React's types cannot tell that a lazy component takes the properties of what it loads.
  const Part = lazy(async () => ({ default: await load() })) as unknown as ComponentType<P>;
  return function LazyPart(props: P) {
    const wasShown = useRef(false);
    // Where `opened` is something else, a callback for example, it does not say whether to show the part.
    const { opened } = props as { opened?: unknown };
    wasShown.current ||= opened !== false;
    return wasShown.current && <Suspense fallback={null}><Part {...props} /></Suspense>;
  };
}

const windows = () => import('./lazy/windows.ts');
const numbers = () => import('./lazy/numbers.ts');
const NumberField = lazy(async () => ({ default: (await numbers()).NumberInput as ComponentType<NumberInputProps> }));

/** Fetches what most screens need sooner or later, ahead of its first use. */
export const fetchLazyParts = (): void => void Promise.all([windows(), numbers()]).catch(() => {});

/** Mantine's Modal, with its properties. */
export const Modal = lazyPart<ModalProps>(async () => (await windows()).Modal);
/** Mantine's Drawer, with its properties. */
export const Drawer = lazyPart<DrawerProps>(async () => (await windows()).Drawer);

/** Mantine's NumberInput, with its properties; until it is there its place is kept. */
export function NumberInput(props: NumberInputProps) {
  const looks = ['label', 'description', 'aria-label', 'size', 'w', 'maw', 'style', 'className'] as const;
  const shown = Object.fromEntries(looks.flatMap((name) => (props[name] === undefined ? [] : [[name, props[name]]])));
  const waiting = <TextInput {...(shown as TextInputProps)} value={String(props.value ?? '')} readOnly aria-busy />;
  return <Suspense fallback={waiting}><NumberField {...props} /></Suspense>;
}
