// The shapes of a scene as meshes: centred at the centre of mass, axis along z, as in the scene file.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CanvasTexture, CapsuleGeometry, ConeGeometry, CylinderGeometry, DoubleSide,
  ExtrudeGeometry, FrontSide, GridHelper, Group, LineBasicMaterial, LineLoop, Mesh, MeshStandardMaterial, PlaneGeometry, Quaternion, RepeatWrapping, Shape, SphereGeometry, SRGBColorSpace, Vector2, Vector3,
} from "three";
import { ConvexGeometry } from "three/addons/geometries/ConvexGeometry.js";

const COLOURS = ["#2f6fb5", "#d9822b", "#3a8f5c", "#b5443c", "#7a5ea8", "#8a6d4b", "#c65f9c", "#5f7f8c"];
const PLANE_DEPTH = 0.06; // of planar shapes, in scene sizes

// Two tones, so that a turning ball is seen to turn.
function stripes(colour) {
  const canvas = document.createElement("canvas");
  canvas.width = 128;
  canvas.height = 64;
  const pen = canvas.getContext("2d");
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 128, 64);
  pen.fillStyle = "rgba(255, 255, 255, 0.55)";
  for (let i = 0; i < 4; i++) for (let k = 0; k < 2; k++) pen.fillRect(i * 32 + k * 16, k * 32, 16, 32);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = RepeatWrapping;
  return texture;
}

function alongZ(geometry) {
  return geometry.rotateX(Math.PI / 2); // three.js has its axes along y
}

function polygon(points, depth) {
  const outline = new Shape(points.map(([x, y]) => new Vector2(x, y)));
  return new ExtrudeGeometry(outline, { depth, bevelEnabled: false }).translate(0, 0, -depth / 2);
}

// Triangles, each with its own corners, so that their edges are seen.
function surface(points, triangles) {
  const corners = new Float32Array(9 * triangles.length);
  triangles.forEach((t, k) => t.forEach((i, c) => corners.set(points[i], 9 * k + 3 * c)));
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}

// Rows of heights from the smallest y up, each from the smallest x on, centred.
function heightField({ heights, cell }) {
  const ny = heights.length;
  const nx = heights[0].length;
  const points = heights.flatMap((row, j) => row.map((z, i) => [(i - (nx - 1) / 2) * cell[0], (j - (ny - 1) / 2) * cell[1], z]));
  const triangles = [];
  for (let j = 0; j + 1 < ny; j++)
    for (let i = 0; i + 1 < nx; i++) {
      const a = j * nx + i;
      triangles.push([a, a + 1, a + nx + 1], [a, a + nx + 1, a + nx]);
    }
  return { points, triangles };
}

// The points and triangles of a mesh or height field, or undefined. A mesh in a file is not read here: the program
// puts its triangles in.
export function meshOf(shape) {
  if (shape["height-field"]) return heightField(shape["height-field"]);
  const { points, triangles, scale = 1 } = shape.mesh ?? {};
  return points && triangles ? { points: points.map((p) => p.map((x) => scale * x)), triangles } : undefined;
}

const SOLIDS = {
  mesh: (s, view) => (s.points ? ((m) => surface(m.points, m.triangles))(meshOf({ mesh: s })) : SOLIDS.particle(s, view)),
  "height-field": (s) => ((m) => surface(m.points, m.triangles))(heightField(s)),
  sphere: (s) => alongZ(new SphereGeometry(s.radius, 32, 20)),
  "hollow-sphere": (s) => alongZ(new SphereGeometry(s.radius, 32, 20)),
  box: (s, view) => new BoxGeometry(s.size[0], s.size[1], s.size[2] ?? PLANE_DEPTH * view.size),
  cylinder: (s) => alongZ(new CylinderGeometry(s.radius, s.radius, s.length, 48)),
  capsule: (s) => alongZ(new CapsuleGeometry(s.radius, s.length, 12, 32)),
  cone: (s) => alongZ(new ConeGeometry(s.radius, s.height, 48)).translate(0, 0, s.height / 4),
  ellipsoid: (s) => alongZ(new SphereGeometry(1, 40, 28)).scale(...s.semi_axes),
  disk: (s, view) => alongZ(new CylinderGeometry(s.radius, s.radius, s.thickness || (view.planar ? PLANE_DEPTH : 0.004) * view.size, 48)),
  rod: (s, view) => {
    const along = alongZ(new CylinderGeometry(0.006 * view.size, 0.006 * view.size, s.length, 12));
    return view.planar ? along.rotateY(Math.PI / 2) : along;
  },
  hull: (s) => new ConvexGeometry(s.points.map((p) => new Vector3(...p))),
  polygon: (s, view) => polygon(s.points, PLANE_DEPTH * view.size),
  particle: (s, view) => new SphereGeometry(0.012 * view.size, 16, 12),
};

function hasGround(view) {
  return view.run.bodies.some(({ shape }) => shape?.["half-space"] && new Vector3(...shape["half-space"].normal).normalize().dot(view.up()) > 0.5);
}

// The border of a wall, where no ground says where things are.
function outline(radius) {
  const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => new Vector3(x * radius, y * radius, 0));
  return new LineLoop(new BufferGeometry().setFromPoints(corners), new LineBasicMaterial({ color: "#8d8877" }));
}

// The free side of a plane is above it; the plane is drawn around the middle of the scene.
function halfSpace(s, view) {
  const normal = new Vector3(s.normal[0], s.normal[1], s.normal[2] ?? 0).normalize();
  const group = new Group();
  const isGround = normal.dot(view.up()) > 0.5;
  const radius = (isGround ? 1.6 : 0.6) * view.size;
  const face = new Mesh(
    new PlaneGeometry(2 * radius, 2 * radius),
    new MeshStandardMaterial({ color: "#e4e1da", roughness: 1, side: DoubleSide, transparent: true, opacity: isGround || view.planar ? 0.8 : 0.06, depthWrite: isGround, polygonOffset: true, polygonOffsetFactor: 1 }),
  );
  face.receiveShadow = true;
  const grid = new GridHelper(2 * radius, 32, "#b8b3a8", "#d3cfc5").rotateX(Math.PI / 2);
  group.add(face);
  if (isGround) group.add(grid);
  else if (!hasGround(view)) group.add(outline(radius)); // walls are hardly seen, so that one looks through them
  group.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), normal);
  const length = Math.hypot(...s.normal) || 1;
  group.position.copy(view.centre).addScaledVector(normal, (s.offset ?? 0) / length - normal.dot(view.centre));
  return group;
}

// One line of a shape: {"sphere": {"radius": 0.03}}.
function only(shape) {
  const word = Object.keys(shape)[0];
  return [word, shape[word]];
}

function solid(shape, material, view) {
  const [word, sizes] = only(shape);
  if (word === "compound") {
    const group = new Group();
    for (const part of sizes.parts) {
      const mesh = solid(part.shape, material, view);
      mesh.position.fromArray([...(part.position ?? [0, 0, 0]), 0].slice(0, 3));
      if (part.orientation) mesh.quaternion.copy(quaternion(part.orientation));
      group.add(mesh);
    }
    return group;
  }
  const make = SOLIDS[word] ?? SOLIDS.particle;
  const geometry = make(sizes, view);
  if (!geometry.getAttribute("uv")) geometry.setAttribute("uv", new BufferAttribute(new Float32Array(2 * geometry.getAttribute("position").count), 2));
  const mesh = new Mesh(geometry, material);
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}

export function quaternion([w, x, y, z]) {
  return new Quaternion(x, y, z, w);
}

// A body as an object of the view; view has size, centre and planar.
export function makeBody(body, index, view) {
  const [word, sizes] = only(body.shape ?? { particle: {} });
  if (word === "half-space") return halfSpace(sizes, view);
  const colour = body.fixed ? "#c9c4ba" : COLOURS[index % COLOURS.length];
  const round = ["sphere", "hollow-sphere", "ellipsoid", "disk", "cylinder", "capsule"].includes(word);
  const glass = body.fixed && body.container;
  const material = new MeshStandardMaterial({
    color: round && !body.fixed ? "#ffffff" : colour, map: round && !body.fixed ? stripes(colour) : null,
    roughness: 0.55, metalness: 0.05, transparent: glass, opacity: glass ? 0.2 : 1, flatShading: ["hull", "mesh", "height-field"].includes(word), side: body.fixed && (word === "mesh" || word === "height-field") ? DoubleSide : FrontSide,
  });
  const object = solid(body.shape ?? { particle: {} }, material, view);
  const shifted = (body.centre ?? [0, 0, 0]).some((x) => x !== 0);
  if (!shifted) return object;
  const holder = new Group(); // its origin is the centre of mass
  object.position.set(...(body.centre ?? [0, 0, 0])).multiplyScalar(-1);
  holder.add(object);
  return holder;
}

export function colourOf(index) {
  return COLOURS[index % COLOURS.length];
}

// How far a shape reaches from its centre; 0 for half-spaces.
export function reach(shape) {
  const [word, s] = only(shape ?? { particle: {} });
  if (word === "half-space" || word === "particle") return 0;
  if (word === "mesh" || word === "height-field") return (meshOf(shape)?.points ?? []).reduce((far, p) => Math.max(far, Math.hypot(...p)), 0);
  if (word === "box") return Math.hypot(...s.size) / 2;
  if (word === "ellipsoid") return Math.max(...s.semi_axes);
  if (word === "hull" || word === "polygon") return Math.max(...s.points.map((p) => Math.hypot(...p)));
  if (word === "compound") return Math.max(...s.parts.map((p) => Math.hypot(...(p.position ?? [0])) + reach(p.shape)));
  return Math.hypot(s.radius ?? 0, (s.length ?? s.height ?? s.thickness ?? 0) / 2);
}
