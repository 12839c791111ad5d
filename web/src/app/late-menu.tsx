import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { firstScreenReady } from './first-screen.ts';

type MenuProps = { opened: boolean; children: ReactNode };

/**
 * A button of the rail whose menu is fetched once the first screen stands. Pressed before that, it
 * opens as soon as it is there. `load` gives the button with its menu; its face are the children.
 */
export function lateMenu(load: () => Promise<ComponentType<MenuProps>>, className: string | undefined) {
  const Menu = lazy(() => firstScreenReady.then(load).then((menu) => ({ default: menu })));
  return function LateMenu({ children }: { children: ReactNode }) {
    const [pressed, setPressed] = useState(false);
    const waiting = (
      <button type="button" className={className} aria-haspopup="menu" onClick={() => setPressed(true)}>
        {children}
      </button>
    );
    return <Suspense fallback={waiting}><Menu opened={pressed}>{children}</Menu></Suspense>;
  };
}
