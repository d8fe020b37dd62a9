import type { AsyncRouteComponent } from '@tanstack/react-router';
import { type ComponentType, createElement, use } from 'react';
import { loadPart } from '../ui/load-part.ts';

/**
 * A page whose code is loaded when it is first shown. In contrast to the router's `lazyRouteComponent`, a page that
 * cannot be loaded fails as one whose data cannot be read, instead of reloading everything without asking.
 */
export function lazyPage(load: () => Promise<ComponentType>): AsyncRouteComponent<object> {
  let Page: ComponentType | null = null;
  let loading: Promise<void> | null = null;
  const preload = () => {
    loading ??= loadPart(load)
      .then((page) => {
        Page = page;
      })
      .finally(() => {
        loading = null;
      });
    return loading;
  };
  const component: AsyncRouteComponent<object> = () => {
    if (!Page) use(preload());
    return Page && createElement(Page);
  };
  component.preload = async () => {
    if (!Page) await preload();
  };
  return component;
}
