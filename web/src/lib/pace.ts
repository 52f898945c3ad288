/** How sharp to draw: as the machine allows while things move, sharp at rest. */
import type * as three from "three";

const SLOW = 22; // ms a frame; sixty a second are 16.7
const COARSEST = 0.5;
const STEP = 0.75;
const REST = 180; // ms without a new picture: it stands still
const MOST_PIXELS = 4e6;
const HEAVY = 10_000; // triangles; with fewer, something else is late

/** Whether pictures are made without a graphics card. */
export function inSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const told = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl ? String(gl.getParameter(told ? told.UNMASKED_RENDERER_WEBGL : gl.RENDERER)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/**
 * Four samples a pixel cost a renderer in software three times the frame, so it draws
 * one while things move, and at rest a picture of twice the width once.
 */
export class Pace {
  moving: number; // pixels a point of the screen, in motion
  private readonly full: number;
  private readonly sharp: number;
  private late = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private renderer: three.WebGLRenderer,
    software: boolean,
    private again: () => void,
  ) {
    this.full = this.moving = software ? 1 : Math.min(devicePixelRatio, 2);
    this.sharp = software ? 2 : this.full;
  }

  /** Right before a picture: `began` is its frame's time. */
  before(began: number) {
    this.set(this.moving);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.rest(), REST);
    requestAnimationFrame((next) => this.took(next - began));
  }

  /** Three frames in a row that came late: the rest of the motion is drawn coarser. */
  private took(ms: number) {
    const heavy = this.renderer.info.render.triangles > HEAVY;
    this.late = heavy && ms > SLOW && ms < 1000 ? this.late + 1 : 0;
    if (this.late < 3) return;
    this.late = 0;
    this.moving = Math.max(COARSEST, this.moving * STEP);
  }

  private rest() {
    this.moving = Math.min(this.full, this.moving / STEP); // the next motion may try
    const { clientWidth: w, clientHeight: h } = this.renderer.domElement;
    this.set(Math.min(this.sharp, Math.sqrt(MOST_PIXELS / Math.max(w * h, 1))));
    this.again();
  }

  private set(ratio: number) {
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
  }

  stop() {
    clearTimeout(this.timer);
  }
}
