/* What the importer reads of SDF against what sdformat reads: masses, centres, inertias, places of shapes, axes; and
 * scenes against what sdformat reads of their export. */
#include <sdf/sdf.hh>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "carom/import.h"
#include "carom/json_short.h"
#include "carom/scene_file.h"

namespace
{

int passed, failed;
constexpr double tolerance = 1e-12;

void near(double got, double expected, const std::string &what)
{
    bool fine = std::fabs(got - expected) <= tolerance;
    (fine ? passed : failed)++;
    if (!fine)
        std::printf("%s: %.17g, sdformat has %.17g\n", what.c_str(), got, expected);
}

void near(carom_vec3 got, const ignition::math::Vector3d &expected, const std::string &what)
{
    near(got.x, expected.X(), what + " x");
    near(got.y, expected.Y(), what + " y");
    near(got.z, expected.Z(), what + " z");
}

void check(const sdf::Errors &errors)
{
    for (const auto &error : errors) {
        std::printf("sdformat: %s\n", error.Message().c_str());
        failed++;
    }
}

ignition::math::Quaterniond turn(carom_quat q)
{
    return {q.w, q.x, q.y, q.z};
}

carom_vec3 vec(const ignition::math::Vector3d &v)
{
    return carom_vec3_make(v.X(), v.Y(), v.Z());
}

/* A scene of the importer, with its bodies by name. */
struct scene {
    carom_import_result r{};
    carom_scene_file file{};
    char *text = nullptr;

    explicit scene(const std::string &path)
    {
        char why[CAROM_IMPORT_MESSAGE];
        carom_case_error error;
        if (!carom_import(path.c_str(), &r, why)) {
            std::printf("%s\n", why);
            failed++;
            return;
        }
        text = json_text(r.scene, 17);
        carom_text from = {path.c_str(), 1, text, std::strlen(text)};
        if (!carom_scene_read(&from, &file, &error)) {
            std::printf("%s\n", error.message);
            failed++;
        }
    }

    const carom_scene_body *body(const std::string &name) const
    {
        for (int k = 0; k < file.scene.body_count; k++)
            if (name == file.names[k])
                return &file.bodies[k];
        std::printf("no body %s\n", name.c_str());
        failed++;
        return nullptr;
    }

    const json_t *link(const std::string &name) const
    {
        std::size_t i;
        json_t *item;
        json_array_foreach(json_object_get(r.scene, "links"), i, item)
        {
            if (name == json_string_value(json_object_get(item, "name")))
                return item;
        }
        return nullptr;
    }

    ~scene()
    {
        carom_scene_free(&file);
        carom_import_free(&r);
        std::free(text);
    }
};

ignition::math::Pose3d in_world(const sdf::SemanticPose &pose, const ignition::math::Pose3d &model)
{
    ignition::math::Pose3d found;
    check(pose.Resolve(found, "__model__"));
    return model * found;
}

void compare_link(const scene &s, const std::string &name, const sdf::Link &link, const ignition::math::Pose3d &model)
{
    const carom_scene_body *body = s.body(name);
    if (!body)
        return;
    ignition::math::Pose3d at = in_world(link.SemanticPose(), model), inertial;
    const auto &mass = link.Inertial();
    auto com = at * mass.Pose();
    near(body->def.mass, mass.MassMatrix().Mass(), name + " mass");
    near(body->def.position, com.Pos(), name + " centre");
    ignition::math::Matrix3d R(turn(body->def.orientation)),
        ours(body->def.inertia.xx, body->def.inertia.xy, body->def.inertia.xz, body->def.inertia.xy,
             body->def.inertia.yy, body->def.inertia.yz, body->def.inertia.xz, body->def.inertia.yz,
             body->def.inertia.zz);
    ignition::math::Matrix3d Q(com.Rot()), I = R * ours * R.Transposed(),
                                           J = Q * mass.MassMatrix().Moi() * Q.Transposed();
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 3; k++)
            near(I(i, k), J(i, k), name + " inertia");
    for (std::uint64_t k = 0; k < link.CollisionCount() && body->solid.kind == CAROM_SOLID_COMPOUND; k++) {
        ignition::math::Pose3d own;
        if (body->solid.parts[k].solid.kind == CAROM_SOLID_HULL)
            continue; /* its centre is where it is, not the origin of its file */
        check(link.CollisionByIndex(k)->SemanticPose().Resolve(own, link.Name()));
        carom_vec3 r = carom_vec3_sub(body->solid.parts[k].position, body->com);
        ignition::math::Vector3d x = R * ignition::math::Vector3d(r.x, r.y, r.z);
        near(carom_vec3_add(body->def.position, vec(x)), (at * own).Pos(), name + " shape");
    }
}

/* The axis of a joint in the world. */
void compare_joint(const scene &s, const std::string &child, const sdf::Joint &joint,
                   const ignition::math::Pose3d &model)
{
    const json_t *link = s.link(child), *axis = json_object_get(json_object_get(link, "joint"), "axis");
    if (!axis || !joint.Axis())
        return;
    ignition::math::Vector3d theirs;
    check(joint.Axis()->ResolveXyz(theirs, "__model__"));
    ignition::math::Vector3d a(json_number_value(json_array_get(axis, 0)), json_number_value(json_array_get(axis, 1)),
                               json_number_value(json_array_get(axis, 2)));
    a = turn(s.body(child)->def.orientation).RotateVector(a);
    near(vec(a), model.Rot().RotateVector(theirs), child + " axis");
}

void compare_model(const scene &s, const sdf::Model &model, const ignition::math::Pose3d &at, const std::string &prefix)
{
    for (std::uint64_t k = 0; !model.Static() && k < model.LinkCount(); k++)
        compare_link(s, prefix + model.LinkByIndex(k)->Name(), *model.LinkByIndex(k), at);
    for (std::uint64_t k = 0; k < model.JointCount(); k++) {
        std::string child = model.JointByIndex(k)->ChildLinkName();
        for (std::size_t i; (i = child.find("::")) != std::string::npos;)
            child.replace(i, 2, "/");
        compare_joint(s, prefix + child, *model.JointByIndex(k), at);
    }
    for (std::uint64_t k = 0; k < model.ModelCount(); k++) {
        const sdf::Model &inner = *model.ModelByIndex(k);
        compare_model(s, inner, in_world(inner.SemanticPose(), at), prefix + inner.Name() + "/");
    }
}

void compare(const std::string &folder, const std::string &name)
{
    sdf::ParserConfig config;
    config.AddURIPath("model://", folder);
    config.SetFindCallback([folder](const std::string &uri) { return folder + "/" + uri; });
    sdf::Root root;
    check(root.Load(folder + "/" + name, config));
    scene s(folder + "/" + name);
    int before = passed;
    const sdf::World *world = root.WorldByIndex(0);
    for (std::uint64_t k = 0; world && k < world->ModelCount(); k++) {
        const sdf::Model &model = *world->ModelByIndex(k);
        compare_model(s, model, model.RawPose(), model.Name() + "/");
    }
    if (root.Model())
        compare_model(s, *root.Model(), root.Model()->RawPose(), "");
    std::printf("%s: %d numbers\n", name.c_str(), passed - before);
}

/* Does a joint of the link, or one above it, begin away from zero? Then its place is a state, which sdformat does not
 * apply. */
bool is_moved(const scene &s, std::string name)
{
    for (const json_t *link = s.link(name); link; link = s.link(name)) {
        if (json_object_get(link, "q"))
            return true;
        name = json_string_value(json_object_get(link, "parent"));
    }
    return false;
}

/* A scene of the importer exported to SDF: sdformat reads the links of the scene. */
void compare_export(const std::string &folder, const std::string &name)
{
    scene s(folder + "/" + name);
    carom_export_result out{};
    carom_case_error error;
    int before = passed;
    if (!carom_model_export(&s.file, CAROM_MODEL_SDF, "m", &out, &error)) {
        std::printf("%s\n", error.message);
        failed++;
        return;
    }
    sdf::Root root;
    check(root.LoadSdfString(out.text));
    const sdf::World *world = root.WorldByIndex(0);
    near(s.file.scene.gravity, world->Gravity(), "gravity");
    for (std::uint64_t k = 0; k < world->ModelCount(); k++) {
        const sdf::Model &model = *world->ModelByIndex(k);
        for (std::uint64_t i = 0; !model.Static() && i < model.LinkCount(); i++) {
            const std::string own = model.LinkByIndex(i)->Name(), whole = model.Name() + "/" + own;
            const bool prefixed = s.link(whole) != nullptr;
            if (!is_moved(s, prefixed ? whole : own))
                compare_link(s, prefixed ? whole : own, *model.LinkByIndex(i), model.RawPose());
        }
    }
    std::printf("%s exported: %d numbers\n", name.c_str(), passed - before);
    carom_export_free(&out);
}

} // namespace

int main()
{
    for (const char *name : {"arm.urdf", "quadruped.urdf", "slider.urdf", "hopper.xml", "stack.xml", "capsules.xml",
                             "quadruped.xml", "dog.urdf", "cart.sdf", "ball.sdf", "door.sdf", "rig.sdf"})
        compare_export(CAROM_TEST_DATA "/import", name);
    for (const char *name : {"cart.sdf", "ball.sdf", "door.sdf", "rig.sdf"})
        compare(CAROM_TEST_DATA "/import", name);
    const int own = passed;
    /* Models that Debian ships with DART (dart-doc), where they are installed. */
    const char *root = std::getenv("CAROM_PUBLIC") ? std::getenv("CAROM_PUBLIC") : "/usr/share";
    for (const char *name : {"quad.sdf", "atlas/atlas_v3_no_head.sdf", "test/issue1624_cubes.sdf"}) {
        const std::string folder = std::string(root) + "/doc/dart/data/sdf";
        if (std::FILE *file = std::fopen((folder + "/" + name).c_str(), "r")) {
            std::fclose(file);
            compare(folder.c_str(), name);
        }
    }
    std::printf("%d of them from public models\n", passed - own);
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
