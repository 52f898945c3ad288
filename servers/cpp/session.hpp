// One coordinator's session: its states by the names it gave, and what is answered.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "bondline.pb.h"
#include "chain.hpp"

namespace pb = bondline::v1;
using Clock = std::chrono::steady_clock;

// Why a request is not served; thrown before anything is changed.
struct Refused {
  pb::Code code;
  std::string reason;
  pb::Kind kind = pb::KIND_UNSPECIFIED;
};

inline void tell(const Refused& no, pb::Failure* made) {
  made->set_code(no.code);
  made->set_reason(no.reason);
  made->set_kind(no.kind);
}

// A state; or a response, which also knows where its window began.
struct Named {
  Kinematics now;
  std::optional<Kinematics> from;
  double t0 = 0.0, t1 = 0.0;
};

class Session {
 public:
  Session(const Chain& chain, uint64_t epoch, std::string coordinator,
          std::string identity)
      : epoch(epoch), coordinator(std::move(coordinator)),
        identity(std::move(identity)), chain_(chain) {}

  const uint64_t epoch;
  const std::string coordinator, identity;
  // Guarded by the host's lock:
  Clock::time_point touched = Clock::now();
  std::optional<Clock::time_point> busy_since;
  int streams = 0;
  std::atomic<uint64_t> sequence{0};  // of the request that was answered last

  // Every request is served once; whoever repeats it gets the same reply.
  pb::Reply answer(const pb::Request& request) {
    std::lock_guard<std::mutex> alone(mutex_);
    const std::string raw = request.SerializeAsString();
    const uint64_t n = request.sequence();
    pb::Reply reply;
    reply.set_sequence(n);
    if (n == last_.sequence() && n > 0) {
      if (raw == raw_) return last_;
      tell({pb::CODE_INVALID_ARGUMENT, "The request of this number was another one."},
           reply.mutable_failure());
      return reply;
    }
    if (n != last_.sequence() + 1) {
      tell({pb::CODE_FAILED_PRECONDITION, "The request is out of order."},
           reply.mutable_failure());
      return reply;
    }
    for (uint64_t name : request.release()) names_.erase(name);
    try {
      serve(request, &reply);
    } catch (const Refused& no) {
      reply.clear_answer();
      tell(no, reply.mutable_failure());
    }
    if (n == 1) tables(&reply);
    raw_ = raw;
    last_ = reply;
    sequence = n;
    return reply;
  }

 private:
  static constexpr size_t kMostStates = 4096;
  static constexpr uint32_t kMostRows = 16, kPowers = 6;
  enum Tables : uint32_t { kStats = 1, kValues = 2 };

  void serve(const pb::Request& request, pb::Reply* reply) {
    switch (request.ask_case()) {
      case pb::Request::kStart: return start(request.start(), reply);
      case pb::Request::kAdvance: return advance(request.advance(), reply);
      case pb::Request::kRespond: return respond(request.respond(), reply);
      case pb::Request::kRealise: return realise(request.realise(), reply);
      case pb::Request::kPress: return press(request.press(), reply);
      case pb::Request::kMobility: return mobility(reply);
      default: throw Refused{pb::CODE_UNIMPLEMENTED, "The model cannot do that."};
    }
  }

  void start(const pb::Start& ask, pb::Reply* reply) {
    finite(ask.t0());
    room(ask.result());
    at_instant(chain_.start(ask.t0()), ask.result(), reply);
  }

  void press(const pb::Press& ask, pb::Reply* reply) {
    const Kinematics now = take(ask.state()).now;
    Ends forces{};
    for (const pb::Load& load : ask.forces()) {
      if (load.port() > 1 || load.values_size() != 1) malformed("a load of no port");
      forces[load.port()] += finite(load.values(0));
    }
    finite(ask.t());
    room(ask.result());
    at_instant(chain_.press(now, ask.t(), forces), ask.result(), reply);
  }

  void advance(const pb::Advance& ask, pb::Reply* reply) {
    const Kinematics from = take(ask.state()).now;
    window(ask.t0(), ask.t1());
    const Ends forces = at_end(ask.inputs());
    room(ask.result());
    const Kinematics to = chain_.advance(from, ask.t0(), ask.t1(), forces);
    if (!stepped({to, from, ask.t0(), ask.t1()}, ask.result(), 1, reply)) return;
    if (ask.has_ahead()) foresee(to, ask.t1(), ask.ahead(), reply);
  }

  void respond(const pb::Respond& ask, pb::Reply* reply) {
    const Kinematics from = take(ask.state()).now;
    window(ask.t0(), ask.t1());
    const Ends forces = at_end(ask.inputs());
    room(ask.result());
    responded(from, ask.t0(), ask.t1(), forces, ask.result(),
              reply->mutable_responded());
  }

  void realise(const pb::Realise& ask, pb::Reply* reply) {
    const Named response = take(ask.response());
    if (!response.from || response.t1 != ask.t1()) malformed("no response of this end");
    const Ends more = at_end(ask.inputs());
    room(ask.result());
    Named done = response;
    done.now = Chain::shifted(done.now, units(done.t1 - done.t0), more);
    if (!stepped(done, ask.result(), 0, reply)) return;
    if (ask.has_ahead()) foresee(done.now, done.t1, ask.ahead(), reply);
  }

  void mobility(pb::Reply* reply) {
    auto* G = reply->mutable_flexibility();
    for (uint32_t shown = 0; shown < 2; ++shown)
      for (uint32_t driven = 0; driven < 2; ++driven) {
        const bool same = shown == driven || chain_.joined();
        block(shown, driven, 1, 1, G)->add_values(same ? chain_.mobility() : 0.0);
      }
  }

  // The response to the next window comes along: one round trip a window.
  void foresee(const Kinematics& from, double t0, const pb::Ahead& ahead,
               pb::Reply* reply) {
    auto* made = reply->mutable_stepped()->mutable_ahead();
    if (ahead.result() == 0 || names_.count(ahead.result()) || !(ahead.t1() > t0) ||
        !std::isfinite(ahead.t1()) || names_.size() >= kMostStates)
      return;
    responded(from, t0, ahead.t1(), {}, ahead.result(), made->mutable_responded());
  }

  void responded(const Kinematics& from, double t0, double t1, const Ends& forces,
                 uint64_t name, pb::Responded* made) {
    const Kinematics to = chain_.advance(from, t0, t1, forces);
    show(to, 1, made);
    const double h = Chain::nominal(t1 - t0);
    auto known = flexibilities_.find(h);
    if (known == flexibilities_.end()) {  // its name is never used for another one
      if (flexibilities_.size() >= 8) flexibilities_.clear();
      known = flexibilities_.emplace(h, ++count_).first;
      flexibility(h, made->mutable_fresh());
    }
    made->set_flexibility(known->second);
    names_[name] = {to, from, t0, t1};
  }

  // A window is done: its end gets a name, unless it is no number.
  bool stepped(const Named& done, uint64_t name, int price, pb::Reply* reply) {
    for (const Vector* each : {&done.now.u, &done.now.v, &done.now.a})
      for (double x : *each)
        if (!std::isfinite(x)) {
          auto* no = reply->mutable_rejected();
          no->set_reason("the window led to a number that is none");
          no->set_kind(pb::KIND_NON_FINITE);
          no->set_solves(price);
          return false;
        }
    keep(done.now, name, price, reply);
    energy(chain_.flows(*done.from, done.now, done.t0, done.t1), reply);
    return true;
  }

  void at_instant(const Kinematics& now, uint64_t name, pb::Reply* reply) {
    keep(now, name, 1, reply);
    energy({chain_.stored(now), 0.0, 0.0}, reply);
  }

  void keep(const Kinematics& now, uint64_t name, int price, pb::Reply* reply) {
    names_[name] = {now, std::nullopt, 0.0, 0.0};
    auto* made = reply->mutable_stepped();
    show(now, price, made);
    auto* values = made->mutable_view()->mutable_values();
    values->set_table(kValues);
    for (size_t port = 0; port < 2; ++port)
      values->add_values(now.u[chain_.end(port)]);
  }

  static void energy(const Energy& found, pb::Reply* reply) {
    auto* made = reply->mutable_stepped()->mutable_energy();
    made->set_stored(found.stored);
    made->set_dissipated(found.dissipated);
    made->set_supplied(found.supplied);
  }

  template <class Made>
  void show(const Kinematics& now, int price, Made* stepped) const {
    stepped->mutable_stats()->set_table(kStats);
    stepped->mutable_stats()->add_values(price);
    auto* outputs = stepped->mutable_outputs();
    for (uint32_t port = 0; port < 2; ++port) {
      outputs->add_ports(port);
      outputs->add_forms(1 + 4);  // motion, with its acceleration
      const size_t i = chain_.end(port);
      for (double x : {now.u[i], now.v[i], now.a[i]}) outputs->add_values(x);
    }
  }

  static pb::Pair* block(uint32_t shown, uint32_t driven, uint32_t levels,
                          uint32_t powers, pb::Flexibility* G) {
    auto* made = G->add_blocks();
    made->set_shown(shown);
    made->set_driven(driven);
    made->set_levels(levels);
    made->set_powers(powers);
    return made;
  }

  // d(x, v, a at t1)/d(coefficients): one step sees their sum, so all powers weigh 1.
  void flexibility(double h, pb::Flexibility* G) {
    const Units& found = units(h);
    for (uint32_t shown = 0; shown < 2; ++shown)
      for (uint32_t driven = 0; driven < 2; ++driven) {
        auto* made = block(shown, driven, 3, kPowers, G);
        const Kinematics& one = found[driven];
        for (const Vector* level : {&one.u, &one.v, &one.a})
          for (uint32_t k = 0; k < kPowers; ++k)
            made->add_values((*level)[chain_.end(shown)]);
      }
    G->set_solves(2);
  }

  const Units& units(double h) {
    h = Chain::nominal(h);
    if (!units_ || units_->first != h) units_.emplace(h, chain_.units(h));
    return units_->second;
  }

  // Names of numbers are sent once, with the first reply.
  static void tables(pb::Reply* reply) {
    auto* stats = reply->add_tables();
    stats->set_id(kStats);
    stats->add_columns()->set_name("solves");
    auto* values = reply->add_tables();
    values->set_id(kValues);
    for (const char* name : {"left.x", "right.x"}) {
      auto* column = values->add_columns();
      column->set_name(name);
      column->set_unit("m");
    }
  }

  [[noreturn]] static void malformed(const std::string& what) {
    throw Refused{pb::CODE_INVALID_ARGUMENT, "Malformed: " + what + "."};
  }

  static double finite(double x) {
    if (!std::isfinite(x)) malformed("a number that is none");
    return x;
  }

  static void window(double t0, double t1) {
    if (!(finite(t1) > finite(t0))) malformed("a window of no length");
  }

  // Values at the end of a window, where s = 1: the sums of the coefficients.
  static Ends at_end(const google::protobuf::RepeatedPtrField<pb::Signal>& inputs) {
    Ends forces{};
    for (const pb::Signal& signal : inputs) {
      if (signal.port() > 1 || signal.rows() < 1 || signal.rows() > kMostRows ||
          signal.coefficients_size() != static_cast<int>(signal.rows()))
        malformed("a signal of the wrong size");
      for (double c : signal.coefficients()) forces[signal.port()] += finite(c);
    }
    return forces;
  }

  const Named& take(uint64_t name) const {
    const auto found = names_.find(name);
    if (found == names_.end())
      throw Refused{pb::CODE_FAILED_PRECONDITION, "There is no such state any more."};
    return found->second;
  }

  void room(uint64_t name) const {
    if (name == 0 || names_.count(name)) malformed("a name that is taken, or is none");
    if (names_.size() >= kMostStates)
      throw Refused{pb::CODE_RESOURCE_EXHAUSTED, "Too many states; release some."};
  }

  const Chain& chain_;
  std::mutex mutex_;
  std::unordered_map<uint64_t, Named> names_;
  std::map<double, uint64_t> flexibilities_;  // their names, by length of window
  uint64_t count_ = 0;
  std::optional<std::pair<double, Units>> units_;
  std::string raw_;
  pb::Reply last_;
};
