from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Ability(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ABILITY_UNSPECIFIED: _ClassVar[Ability]
    ABILITY_AFFINE: _ClassVar[Ability]
    ABILITY_LINEARISING: _ClassVar[Ability]
    ABILITY_OBSERVING: _ClassVar[Ability]
    ABILITY_REACTING: _ClassVar[Ability]
    ABILITY_SHOWING: _ClassVar[Ability]
    ABILITY_SERIALISING: _ClassVar[Ability]
    ABILITY_PRESSING: _ClassVar[Ability]
    ABILITY_MOBILE: _ClassVar[Ability]
    ABILITY_PLACING: _ClassVar[Ability]
    ABILITY_STATIC: _ClassVar[Ability]
    ABILITY_YIELDING: _ClassVar[Ability]
    ABILITY_BREAKING: _ClassVar[Ability]
    ABILITY_GUARDING: _ClassVar[Ability]
    ABILITY_HARMONIC: _ClassVar[Ability]
    ABILITY_IMPULSIVE: _ClassVar[Ability]
    ABILITY_TRYING: _ClassVar[Ability]
    ABILITY_BLOCKED: _ClassVar[Ability]
    ABILITY_WEIGHING: _ClassVar[Ability]
    ABILITY_CORRECTING: _ClassVar[Ability]
    ABILITY_SKINNED: _ClassVar[Ability]
    ABILITY_VIBRATING: _ClassVar[Ability]

class Code(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CODE_OK: _ClassVar[Code]
    CODE_INVALID_ARGUMENT: _ClassVar[Code]
    CODE_NOT_FOUND: _ClassVar[Code]
    CODE_PERMISSION_DENIED: _ClassVar[Code]
    CODE_RESOURCE_EXHAUSTED: _ClassVar[Code]
    CODE_FAILED_PRECONDITION: _ClassVar[Code]
    CODE_ABORTED: _ClassVar[Code]
    CODE_UNIMPLEMENTED: _ClassVar[Code]
    CODE_INTERNAL: _ClassVar[Code]

class Kind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    KIND_UNSPECIFIED: _ClassVar[Kind]
    KIND_SESSION: _ClassVar[Kind]
    KIND_LEAF_FAILED: _ClassVar[Kind]
    KIND_NON_FINITE: _ClassVar[Kind]
    KIND_DIVERGED: _ClassVar[Kind]
    KIND_SINGULAR: _ClassVar[Kind]
    KIND_INCONSISTENT: _ClassVar[Kind]
    KIND_STORAGE: _ClassVar[Kind]
    KIND_CORRUPT: _ClassVar[Kind]
    KIND_VERSION: _ClassVar[Kind]
    KIND_SETTING: _ClassVar[Kind]
ABILITY_UNSPECIFIED: Ability
ABILITY_AFFINE: Ability
ABILITY_LINEARISING: Ability
ABILITY_OBSERVING: Ability
ABILITY_REACTING: Ability
ABILITY_SHOWING: Ability
ABILITY_SERIALISING: Ability
ABILITY_PRESSING: Ability
ABILITY_MOBILE: Ability
ABILITY_PLACING: Ability
ABILITY_STATIC: Ability
ABILITY_YIELDING: Ability
ABILITY_BREAKING: Ability
ABILITY_GUARDING: Ability
ABILITY_HARMONIC: Ability
ABILITY_IMPULSIVE: Ability
ABILITY_TRYING: Ability
ABILITY_BLOCKED: Ability
ABILITY_WEIGHING: Ability
ABILITY_CORRECTING: Ability
ABILITY_SKINNED: Ability
ABILITY_VIBRATING: Ability
CODE_OK: Code
CODE_INVALID_ARGUMENT: Code
CODE_NOT_FOUND: Code
CODE_PERMISSION_DENIED: Code
CODE_RESOURCE_EXHAUSTED: Code
CODE_FAILED_PRECONDITION: Code
CODE_ABORTED: Code
CODE_UNIMPLEMENTED: Code
CODE_INTERNAL: Code
KIND_UNSPECIFIED: Kind
KIND_SESSION: Kind
KIND_LEAF_FAILED: Kind
KIND_NON_FINITE: Kind
KIND_DIVERGED: Kind
KIND_SINGULAR: Kind
KIND_INCONSISTENT: Kind
KIND_STORAGE: Kind
KIND_CORRUPT: Kind
KIND_VERSION: Kind
KIND_SETTING: Kind

class DescribeRequest(_message.Message):
    __slots__ = ("version", "model")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    version: Version
    model: str
    def __init__(self, version: _Optional[_Union[Version, _Mapping]] = ..., model: _Optional[str] = ...) -> None: ...

class DescribeReply(_message.Message):
    __slots__ = ("description", "failure")
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    description: Description
    failure: Failure
    def __init__(self, description: _Optional[_Union[Description, _Mapping]] = ..., failure: _Optional[_Union[Failure, _Mapping]] = ...) -> None: ...

class Version(_message.Message):
    __slots__ = ("major", "minor")
    MAJOR_FIELD_NUMBER: _ClassVar[int]
    MINOR_FIELD_NUMBER: _ClassVar[int]
    major: int
    minor: int
    def __init__(self, major: _Optional[int] = ..., minor: _Optional[int] = ...) -> None: ...

class Description(_message.Message):
    __slots__ = ("version", "model", "digest", "ports", "parameters", "capabilities", "abilities", "max_step_seconds", "lease_seconds")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    PORTS_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    ABILITIES_FIELD_NUMBER: _ClassVar[int]
    MAX_STEP_SECONDS_FIELD_NUMBER: _ClassVar[int]
    LEASE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    version: Version
    model: str
    digest: str
    ports: _containers.RepeatedCompositeFieldContainer[Port]
    parameters: _containers.RepeatedCompositeFieldContainer[Parameter]
    capabilities: Capabilities
    abilities: _containers.RepeatedScalarFieldContainer[Ability]
    max_step_seconds: float
    lease_seconds: float
    def __init__(self, version: _Optional[_Union[Version, _Mapping]] = ..., model: _Optional[str] = ..., digest: _Optional[str] = ..., ports: _Optional[_Iterable[_Union[Port, _Mapping]]] = ..., parameters: _Optional[_Iterable[_Union[Parameter, _Mapping]]] = ..., capabilities: _Optional[_Union[Capabilities, _Mapping]] = ..., abilities: _Optional[_Iterable[_Union[Ability, str]]] = ..., max_step_seconds: _Optional[float] = ..., lease_seconds: _Optional[float] = ...) -> None: ...

class Port(_message.Message):
    __slots__ = ("name", "signal", "unit", "incoming", "dofs", "nodes", "motion_in", "frame", "fixed", "points", "facets")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    INCOMING_FIELD_NUMBER: _ClassVar[int]
    DOFS_FIELD_NUMBER: _ClassVar[int]
    NODES_FIELD_NUMBER: _ClassVar[int]
    MOTION_IN_FIELD_NUMBER: _ClassVar[int]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    FIXED_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    FACETS_FIELD_NUMBER: _ClassVar[int]
    name: str
    signal: bool
    unit: str
    incoming: bool
    dofs: _containers.RepeatedScalarFieldContainer[str]
    nodes: int
    motion_in: bool
    frame: bool
    fixed: _containers.RepeatedScalarFieldContainer[int]
    points: _containers.RepeatedScalarFieldContainer[float]
    facets: _containers.RepeatedCompositeFieldContainer[Facet]
    def __init__(self, name: _Optional[str] = ..., signal: _Optional[bool] = ..., unit: _Optional[str] = ..., incoming: _Optional[bool] = ..., dofs: _Optional[_Iterable[str]] = ..., nodes: _Optional[int] = ..., motion_in: _Optional[bool] = ..., frame: _Optional[bool] = ..., fixed: _Optional[_Iterable[int]] = ..., points: _Optional[_Iterable[float]] = ..., facets: _Optional[_Iterable[_Union[Facet, _Mapping]]] = ...) -> None: ...

class Facet(_message.Message):
    __slots__ = ("nodes",)
    NODES_FIELD_NUMBER: _ClassVar[int]
    nodes: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, nodes: _Optional[_Iterable[int]] = ...) -> None: ...

class Parameter(_message.Message):
    __slots__ = ("name", "value", "unit", "meaning", "positive", "choices")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    MEANING_FIELD_NUMBER: _ClassVar[int]
    POSITIVE_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: float
    unit: str
    meaning: str
    positive: bool
    choices: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., value: _Optional[float] = ..., unit: _Optional[str] = ..., meaning: _Optional[str] = ..., positive: _Optional[bool] = ..., choices: _Optional[_Iterable[str]] = ...) -> None: ...

class Capabilities(_message.Message):
    __slots__ = ("repeatable", "linear", "serialises", "acceleration", "one_step", "mixed", "coarse", "weighs", "superposes")
    REPEATABLE_FIELD_NUMBER: _ClassVar[int]
    LINEAR_FIELD_NUMBER: _ClassVar[int]
    SERIALISES_FIELD_NUMBER: _ClassVar[int]
    ACCELERATION_FIELD_NUMBER: _ClassVar[int]
    ONE_STEP_FIELD_NUMBER: _ClassVar[int]
    MIXED_FIELD_NUMBER: _ClassVar[int]
    COARSE_FIELD_NUMBER: _ClassVar[int]
    WEIGHS_FIELD_NUMBER: _ClassVar[int]
    SUPERPOSES_FIELD_NUMBER: _ClassVar[int]
    repeatable: bool
    linear: bool
    serialises: bool
    acceleration: bool
    one_step: bool
    mixed: bool
    coarse: bool
    weighs: bool
    superposes: bool
    def __init__(self, repeatable: _Optional[bool] = ..., linear: _Optional[bool] = ..., serialises: _Optional[bool] = ..., acceleration: _Optional[bool] = ..., one_step: _Optional[bool] = ..., mixed: _Optional[bool] = ..., coarse: _Optional[bool] = ..., weighs: _Optional[bool] = ..., superposes: _Optional[bool] = ...) -> None: ...

class Request(_message.Message):
    __slots__ = ("session", "epoch", "sequence", "release", "ballast", "open", "start", "advance", "respond", "realise", "linearise", "press", "place", "kick", "equilibrium", "compliance", "mobility", "guard", "breaks", "receptance", "weighing", "keep", "restore", "close", "advance_each", "impulse", "respond_block", "try_block", "settle_block", "ballasted", "predict", "correct", "accept", "skins", "deformed", "swinging")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    RELEASE_FIELD_NUMBER: _ClassVar[int]
    BALLAST_FIELD_NUMBER: _ClassVar[int]
    OPEN_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    ADVANCE_FIELD_NUMBER: _ClassVar[int]
    RESPOND_FIELD_NUMBER: _ClassVar[int]
    REALISE_FIELD_NUMBER: _ClassVar[int]
    LINEARISE_FIELD_NUMBER: _ClassVar[int]
    PRESS_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    KICK_FIELD_NUMBER: _ClassVar[int]
    EQUILIBRIUM_FIELD_NUMBER: _ClassVar[int]
    COMPLIANCE_FIELD_NUMBER: _ClassVar[int]
    MOBILITY_FIELD_NUMBER: _ClassVar[int]
    GUARD_FIELD_NUMBER: _ClassVar[int]
    BREAKS_FIELD_NUMBER: _ClassVar[int]
    RECEPTANCE_FIELD_NUMBER: _ClassVar[int]
    WEIGHING_FIELD_NUMBER: _ClassVar[int]
    KEEP_FIELD_NUMBER: _ClassVar[int]
    RESTORE_FIELD_NUMBER: _ClassVar[int]
    CLOSE_FIELD_NUMBER: _ClassVar[int]
    ADVANCE_EACH_FIELD_NUMBER: _ClassVar[int]
    IMPULSE_FIELD_NUMBER: _ClassVar[int]
    RESPOND_BLOCK_FIELD_NUMBER: _ClassVar[int]
    TRY_BLOCK_FIELD_NUMBER: _ClassVar[int]
    SETTLE_BLOCK_FIELD_NUMBER: _ClassVar[int]
    BALLASTED_FIELD_NUMBER: _ClassVar[int]
    PREDICT_FIELD_NUMBER: _ClassVar[int]
    CORRECT_FIELD_NUMBER: _ClassVar[int]
    ACCEPT_FIELD_NUMBER: _ClassVar[int]
    SKINS_FIELD_NUMBER: _ClassVar[int]
    DEFORMED_FIELD_NUMBER: _ClassVar[int]
    SWINGING_FIELD_NUMBER: _ClassVar[int]
    session: int
    epoch: int
    sequence: int
    release: _containers.RepeatedScalarFieldContainer[int]
    ballast: int
    open: Open
    start: Start
    advance: Advance
    respond: Respond
    realise: Realise
    linearise: Linearise
    press: Press
    place: Place
    kick: Kick
    equilibrium: Equilibrium
    compliance: Compliance
    mobility: Mobility
    guard: Guard
    breaks: Breaks
    receptance: Receptance
    weighing: Weighing
    keep: Keep
    restore: Restore
    close: Close
    advance_each: Try
    impulse: Ring
    respond_block: RespondBlock
    try_block: TryBlock
    settle_block: SettleBlock
    ballasted: Ballast
    predict: Predict
    correct: Correct
    accept: Accept
    skins: Skins
    deformed: Deform
    swinging: Swing
    def __init__(self, session: _Optional[int] = ..., epoch: _Optional[int] = ..., sequence: _Optional[int] = ..., release: _Optional[_Iterable[int]] = ..., ballast: _Optional[int] = ..., open: _Optional[_Union[Open, _Mapping]] = ..., start: _Optional[_Union[Start, _Mapping]] = ..., advance: _Optional[_Union[Advance, _Mapping]] = ..., respond: _Optional[_Union[Respond, _Mapping]] = ..., realise: _Optional[_Union[Realise, _Mapping]] = ..., linearise: _Optional[_Union[Linearise, _Mapping]] = ..., press: _Optional[_Union[Press, _Mapping]] = ..., place: _Optional[_Union[Place, _Mapping]] = ..., kick: _Optional[_Union[Kick, _Mapping]] = ..., equilibrium: _Optional[_Union[Equilibrium, _Mapping]] = ..., compliance: _Optional[_Union[Compliance, _Mapping]] = ..., mobility: _Optional[_Union[Mobility, _Mapping]] = ..., guard: _Optional[_Union[Guard, _Mapping]] = ..., breaks: _Optional[_Union[Breaks, _Mapping]] = ..., receptance: _Optional[_Union[Receptance, _Mapping]] = ..., weighing: _Optional[_Union[Weighing, _Mapping]] = ..., keep: _Optional[_Union[Keep, _Mapping]] = ..., restore: _Optional[_Union[Restore, _Mapping]] = ..., close: _Optional[_Union[Close, _Mapping]] = ..., advance_each: _Optional[_Union[Try, _Mapping]] = ..., impulse: _Optional[_Union[Ring, _Mapping]] = ..., respond_block: _Optional[_Union[RespondBlock, _Mapping]] = ..., try_block: _Optional[_Union[TryBlock, _Mapping]] = ..., settle_block: _Optional[_Union[SettleBlock, _Mapping]] = ..., ballasted: _Optional[_Union[Ballast, _Mapping]] = ..., predict: _Optional[_Union[Predict, _Mapping]] = ..., correct: _Optional[_Union[Correct, _Mapping]] = ..., accept: _Optional[_Union[Accept, _Mapping]] = ..., skins: _Optional[_Union[Skins, _Mapping]] = ..., deformed: _Optional[_Union[Deform, _Mapping]] = ..., swinging: _Optional[_Union[Swing, _Mapping]] = ...) -> None: ...

class Open(_message.Message):
    __slots__ = ("version", "model", "coordinator", "digest", "takeover")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    COORDINATOR_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    TAKEOVER_FIELD_NUMBER: _ClassVar[int]
    version: Version
    model: str
    coordinator: str
    digest: str
    takeover: bool
    def __init__(self, version: _Optional[_Union[Version, _Mapping]] = ..., model: _Optional[str] = ..., coordinator: _Optional[str] = ..., digest: _Optional[str] = ..., takeover: _Optional[bool] = ...) -> None: ...

class Start(_message.Message):
    __slots__ = ("t0", "result")
    T0_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    t0: float
    result: int
    def __init__(self, t0: _Optional[float] = ..., result: _Optional[int] = ...) -> None: ...

class Signal(_message.Message):
    __slots__ = ("port", "rows", "coefficients", "origin")
    PORT_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    COEFFICIENTS_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    port: int
    rows: int
    coefficients: _containers.RepeatedScalarFieldContainer[float]
    origin: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, port: _Optional[int] = ..., rows: _Optional[int] = ..., coefficients: _Optional[_Iterable[float]] = ..., origin: _Optional[_Iterable[float]] = ...) -> None: ...

class Load(_message.Message):
    __slots__ = ("port", "values")
    PORT_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    port: int
    values: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, port: _Optional[int] = ..., values: _Optional[_Iterable[float]] = ...) -> None: ...

class Advance(_message.Message):
    __slots__ = ("state", "t0", "t1", "inputs", "result", "linearise", "ahead", "look")
    STATE_FIELD_NUMBER: _ClassVar[int]
    T0_FIELD_NUMBER: _ClassVar[int]
    T1_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    LINEARISE_FIELD_NUMBER: _ClassVar[int]
    AHEAD_FIELD_NUMBER: _ClassVar[int]
    LOOK_FIELD_NUMBER: _ClassVar[int]
    state: int
    t0: float
    t1: float
    inputs: _containers.RepeatedCompositeFieldContainer[Signal]
    result: int
    linearise: bool
    ahead: Ahead
    look: bool
    def __init__(self, state: _Optional[int] = ..., t0: _Optional[float] = ..., t1: _Optional[float] = ..., inputs: _Optional[_Iterable[_Union[Signal, _Mapping]]] = ..., result: _Optional[int] = ..., linearise: _Optional[bool] = ..., ahead: _Optional[_Union[Ahead, _Mapping]] = ..., look: _Optional[bool] = ...) -> None: ...

class Respond(_message.Message):
    __slots__ = ("state", "t0", "t1", "inputs", "result")
    STATE_FIELD_NUMBER: _ClassVar[int]
    T0_FIELD_NUMBER: _ClassVar[int]
    T1_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    state: int
    t0: float
    t1: float
    inputs: _containers.RepeatedCompositeFieldContainer[Signal]
    result: int
    def __init__(self, state: _Optional[int] = ..., t0: _Optional[float] = ..., t1: _Optional[float] = ..., inputs: _Optional[_Iterable[_Union[Signal, _Mapping]]] = ..., result: _Optional[int] = ...) -> None: ...

class Realise(_message.Message):
    __slots__ = ("response", "inputs", "result", "ahead", "t1", "look")
    RESPONSE_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    AHEAD_FIELD_NUMBER: _ClassVar[int]
    T1_FIELD_NUMBER: _ClassVar[int]
    LOOK_FIELD_NUMBER: _ClassVar[int]
    response: int
    inputs: _containers.RepeatedCompositeFieldContainer[Signal]
    result: int
    ahead: Ahead
    t1: float
    look: bool
    def __init__(self, response: _Optional[int] = ..., inputs: _Optional[_Iterable[_Union[Signal, _Mapping]]] = ..., result: _Optional[int] = ..., ahead: _Optional[_Union[Ahead, _Mapping]] = ..., t1: _Optional[float] = ..., look: _Optional[bool] = ...) -> None: ...

class Ahead(_message.Message):
    __slots__ = ("t1", "result")
    T1_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    t1: float
    result: int
    def __init__(self, t1: _Optional[float] = ..., result: _Optional[int] = ...) -> None: ...

class Linearise(_message.Message):
    __slots__ = ("state", "t0", "t1", "inputs")
    STATE_FIELD_NUMBER: _ClassVar[int]
    T0_FIELD_NUMBER: _ClassVar[int]
    T1_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    state: int
    t0: float
    t1: float
    inputs: _containers.RepeatedCompositeFieldContainer[Signal]
    def __init__(self, state: _Optional[int] = ..., t0: _Optional[float] = ..., t1: _Optional[float] = ..., inputs: _Optional[_Iterable[_Union[Signal, _Mapping]]] = ...) -> None: ...

class Press(_message.Message):
    __slots__ = ("state", "t", "forces", "result")
    STATE_FIELD_NUMBER: _ClassVar[int]
    T_FIELD_NUMBER: _ClassVar[int]
    FORCES_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    state: int
    t: float
    forces: _containers.RepeatedCompositeFieldContainer[Load]
    result: int
    def __init__(self, state: _Optional[int] = ..., t: _Optional[float] = ..., forces: _Optional[_Iterable[_Union[Load, _Mapping]]] = ..., result: _Optional[int] = ...) -> None: ...

class Place(_message.Message):
    __slots__ = ("state", "port", "at", "result")
    STATE_FIELD_NUMBER: _ClassVar[int]
    PORT_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    state: int
    port: int
    at: Motion
    result: int
    def __init__(self, state: _Optional[int] = ..., port: _Optional[int] = ..., at: _Optional[_Union[Motion, _Mapping]] = ..., result: _Optional[int] = ...) -> None: ...

class Kick(_message.Message):
    __slots__ = ("state", "t", "impulses", "result")
    STATE_FIELD_NUMBER: _ClassVar[int]
    T_FIELD_NUMBER: _ClassVar[int]
    IMPULSES_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    state: int
    t: float
    impulses: _containers.RepeatedCompositeFieldContainer[Load]
    result: int
    def __init__(self, state: _Optional[int] = ..., t: _Optional[float] = ..., impulses: _Optional[_Iterable[_Union[Load, _Mapping]]] = ..., result: _Optional[int] = ...) -> None: ...

class Equilibrium(_message.Message):
    __slots__ = ("state", "load_factor", "inputs", "springs", "result")
    STATE_FIELD_NUMBER: _ClassVar[int]
    LOAD_FACTOR_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    SPRINGS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    state: int
    load_factor: float
    inputs: _containers.RepeatedCompositeFieldContainer[Load]
    springs: _containers.RepeatedCompositeFieldContainer[Load]
    result: int
    def __init__(self, state: _Optional[int] = ..., load_factor: _Optional[float] = ..., inputs: _Optional[_Iterable[_Union[Load, _Mapping]]] = ..., springs: _Optional[_Iterable[_Union[Load, _Mapping]]] = ..., result: _Optional[int] = ...) -> None: ...

class Compliance(_message.Message):
    __slots__ = ("state", "springs")
    STATE_FIELD_NUMBER: _ClassVar[int]
    SPRINGS_FIELD_NUMBER: _ClassVar[int]
    state: int
    springs: _containers.RepeatedCompositeFieldContainer[Load]
    def __init__(self, state: _Optional[int] = ..., springs: _Optional[_Iterable[_Union[Load, _Mapping]]] = ...) -> None: ...

class Mobility(_message.Message):
    __slots__ = ("state", "t")
    STATE_FIELD_NUMBER: _ClassVar[int]
    T_FIELD_NUMBER: _ClassVar[int]
    state: int
    t: float
    def __init__(self, state: _Optional[int] = ..., t: _Optional[float] = ...) -> None: ...

class Guard(_message.Message):
    __slots__ = ("state", "t0", "t1")
    STATE_FIELD_NUMBER: _ClassVar[int]
    T0_FIELD_NUMBER: _ClassVar[int]
    T1_FIELD_NUMBER: _ClassVar[int]
    state: int
    t0: float
    t1: float
    def __init__(self, state: _Optional[int] = ..., t0: _Optional[float] = ..., t1: _Optional[float] = ...) -> None: ...

class Breaks(_message.Message):
    __slots__ = ("t0", "t1")
    T0_FIELD_NUMBER: _ClassVar[int]
    T1_FIELD_NUMBER: _ClassVar[int]
    t0: float
    t1: float
    def __init__(self, t0: _Optional[float] = ..., t1: _Optional[float] = ...) -> None: ...

class Receptance(_message.Message):
    __slots__ = ("omega", "damped")
    OMEGA_FIELD_NUMBER: _ClassVar[int]
    DAMPED_FIELD_NUMBER: _ClassVar[int]
    omega: float
    damped: bool
    def __init__(self, omega: _Optional[float] = ..., damped: _Optional[bool] = ...) -> None: ...

class Weighing(_message.Message):
    __slots__ = ("h",)
    H_FIELD_NUMBER: _ClassVar[int]
    h: float
    def __init__(self, h: _Optional[float] = ...) -> None: ...

class Keep(_message.Message):
    __slots__ = ("state", "log_number", "log_head")
    STATE_FIELD_NUMBER: _ClassVar[int]
    LOG_NUMBER_FIELD_NUMBER: _ClassVar[int]
    LOG_HEAD_FIELD_NUMBER: _ClassVar[int]
    state: int
    log_number: str
    log_head: str
    def __init__(self, state: _Optional[int] = ..., log_number: _Optional[str] = ..., log_head: _Optional[str] = ...) -> None: ...

class Restore(_message.Message):
    __slots__ = ("handle", "digest", "result")
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    handle: str
    digest: str
    result: int
    def __init__(self, handle: _Optional[str] = ..., digest: _Optional[str] = ..., result: _Optional[int] = ...) -> None: ...

class Try(_message.Message):
    __slots__ = ("state", "t0", "t1", "cases")
    STATE_FIELD_NUMBER: _ClassVar[int]
    T0_FIELD_NUMBER: _ClassVar[int]
    T1_FIELD_NUMBER: _ClassVar[int]
    CASES_FIELD_NUMBER: _ClassVar[int]
    state: int
    t0: float
    t1: float
    cases: _containers.RepeatedCompositeFieldContainer[Inputs]
    def __init__(self, state: _Optional[int] = ..., t0: _Optional[float] = ..., t1: _Optional[float] = ..., cases: _Optional[_Iterable[_Union[Inputs, _Mapping]]] = ...) -> None: ...

class Inputs(_message.Message):
    __slots__ = ("signals",)
    SIGNALS_FIELD_NUMBER: _ClassVar[int]
    signals: _containers.RepeatedCompositeFieldContainer[Signal]
    def __init__(self, signals: _Optional[_Iterable[_Union[Signal, _Mapping]]] = ...) -> None: ...

class Block(_message.Message):
    __slots__ = ("starts", "ends", "inputs")
    STARTS_FIELD_NUMBER: _ClassVar[int]
    ENDS_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    starts: _containers.RepeatedScalarFieldContainer[float]
    ends: _containers.RepeatedScalarFieldContainer[float]
    inputs: _containers.RepeatedCompositeFieldContainer[Inputs]
    def __init__(self, starts: _Optional[_Iterable[float]] = ..., ends: _Optional[_Iterable[float]] = ..., inputs: _Optional[_Iterable[_Union[Inputs, _Mapping]]] = ...) -> None: ...

class Ring(_message.Message):
    __slots__ = ("state", "block", "powers", "first")
    STATE_FIELD_NUMBER: _ClassVar[int]
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    POWERS_FIELD_NUMBER: _ClassVar[int]
    FIRST_FIELD_NUMBER: _ClassVar[int]
    state: int
    block: Block
    powers: int
    first: int
    def __init__(self, state: _Optional[int] = ..., block: _Optional[_Union[Block, _Mapping]] = ..., powers: _Optional[int] = ..., first: _Optional[int] = ...) -> None: ...

class RespondBlock(_message.Message):
    __slots__ = ("state", "block", "result")
    STATE_FIELD_NUMBER: _ClassVar[int]
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    state: int
    block: Block
    result: int
    def __init__(self, state: _Optional[int] = ..., block: _Optional[_Union[Block, _Mapping]] = ..., result: _Optional[int] = ...) -> None: ...

class TryBlock(_message.Message):
    __slots__ = ("response", "more", "result", "ahead", "ahead_result", "before")
    RESPONSE_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    AHEAD_FIELD_NUMBER: _ClassVar[int]
    AHEAD_RESULT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    response: int
    more: _containers.RepeatedCompositeFieldContainer[Inputs]
    result: int
    ahead: Block
    ahead_result: int
    before: Settle
    def __init__(self, response: _Optional[int] = ..., more: _Optional[_Iterable[_Union[Inputs, _Mapping]]] = ..., result: _Optional[int] = ..., ahead: _Optional[_Union[Block, _Mapping]] = ..., ahead_result: _Optional[int] = ..., before: _Optional[_Union[Settle, _Mapping]] = ...) -> None: ...

class Settle(_message.Message):
    __slots__ = ("trial", "same", "more", "result", "look")
    TRIAL_FIELD_NUMBER: _ClassVar[int]
    SAME_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    LOOK_FIELD_NUMBER: _ClassVar[int]
    trial: int
    same: bool
    more: _containers.RepeatedCompositeFieldContainer[Inputs]
    result: int
    look: bool
    def __init__(self, trial: _Optional[int] = ..., same: _Optional[bool] = ..., more: _Optional[_Iterable[_Union[Inputs, _Mapping]]] = ..., result: _Optional[int] = ..., look: _Optional[bool] = ...) -> None: ...

class SettleBlock(_message.Message):
    __slots__ = ("settle", "ahead", "ahead_result", "keep")
    SETTLE_FIELD_NUMBER: _ClassVar[int]
    AHEAD_FIELD_NUMBER: _ClassVar[int]
    AHEAD_RESULT_FIELD_NUMBER: _ClassVar[int]
    KEEP_FIELD_NUMBER: _ClassVar[int]
    settle: Settle
    ahead: Block
    ahead_result: int
    keep: Keep
    def __init__(self, settle: _Optional[_Union[Settle, _Mapping]] = ..., ahead: _Optional[_Union[Block, _Mapping]] = ..., ahead_result: _Optional[int] = ..., keep: _Optional[_Union[Keep, _Mapping]] = ...) -> None: ...

class Ballast(_message.Message):
    __slots__ = ("masses", "result")
    MASSES_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    masses: _containers.RepeatedCompositeFieldContainer[Load]
    result: int
    def __init__(self, masses: _Optional[_Iterable[_Union[Load, _Mapping]]] = ..., result: _Optional[int] = ...) -> None: ...

class Predict(_message.Message):
    __slots__ = ("state", "t0", "t1", "result")
    STATE_FIELD_NUMBER: _ClassVar[int]
    T0_FIELD_NUMBER: _ClassVar[int]
    T1_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    state: int
    t0: float
    t1: float
    result: int
    def __init__(self, state: _Optional[int] = ..., t0: _Optional[float] = ..., t1: _Optional[float] = ..., result: _Optional[int] = ...) -> None: ...

class Correct(_message.Message):
    __slots__ = ("trial", "loads", "result")
    TRIAL_FIELD_NUMBER: _ClassVar[int]
    LOADS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    trial: int
    loads: _containers.RepeatedCompositeFieldContainer[Load]
    result: int
    def __init__(self, trial: _Optional[int] = ..., loads: _Optional[_Iterable[_Union[Load, _Mapping]]] = ..., result: _Optional[int] = ...) -> None: ...

class Accept(_message.Message):
    __slots__ = ("trial", "result", "ahead")
    TRIAL_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    AHEAD_FIELD_NUMBER: _ClassVar[int]
    trial: int
    result: int
    ahead: Predict
    def __init__(self, trial: _Optional[int] = ..., result: _Optional[int] = ..., ahead: _Optional[_Union[Predict, _Mapping]] = ...) -> None: ...

class Skins(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Deform(_message.Message):
    __slots__ = ("state", "rest", "t", "share")
    STATE_FIELD_NUMBER: _ClassVar[int]
    REST_FIELD_NUMBER: _ClassVar[int]
    T_FIELD_NUMBER: _ClassVar[int]
    SHARE_FIELD_NUMBER: _ClassVar[int]
    state: int
    rest: bool
    t: float
    share: float
    def __init__(self, state: _Optional[int] = ..., rest: _Optional[bool] = ..., t: _Optional[float] = ..., share: _Optional[float] = ...) -> None: ...

class Swing(_message.Message):
    __slots__ = ("omega", "ports")
    OMEGA_FIELD_NUMBER: _ClassVar[int]
    PORTS_FIELD_NUMBER: _ClassVar[int]
    omega: float
    ports: _containers.RepeatedCompositeFieldContainer[Load]
    def __init__(self, omega: _Optional[float] = ..., ports: _Optional[_Iterable[_Union[Load, _Mapping]]] = ...) -> None: ...

class Close(_message.Message):
    __slots__ = ("log_number", "log_head")
    LOG_NUMBER_FIELD_NUMBER: _ClassVar[int]
    LOG_HEAD_FIELD_NUMBER: _ClassVar[int]
    log_number: str
    log_head: str
    def __init__(self, log_number: _Optional[str] = ..., log_head: _Optional[str] = ...) -> None: ...

class Reply(_message.Message):
    __slots__ = ("sequence", "tables", "failure", "opened", "stepped", "responded", "rejected", "flexibility", "instants", "notes", "harmonics", "weights", "kept", "done", "tried", "rung", "responded_block", "tried_block", "settled_block", "corrector", "corrected", "surfaces", "moved")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    OPENED_FIELD_NUMBER: _ClassVar[int]
    STEPPED_FIELD_NUMBER: _ClassVar[int]
    RESPONDED_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    FLEXIBILITY_FIELD_NUMBER: _ClassVar[int]
    INSTANTS_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    HARMONICS_FIELD_NUMBER: _ClassVar[int]
    WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    KEPT_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    TRIED_FIELD_NUMBER: _ClassVar[int]
    RUNG_FIELD_NUMBER: _ClassVar[int]
    RESPONDED_BLOCK_FIELD_NUMBER: _ClassVar[int]
    TRIED_BLOCK_FIELD_NUMBER: _ClassVar[int]
    SETTLED_BLOCK_FIELD_NUMBER: _ClassVar[int]
    CORRECTOR_FIELD_NUMBER: _ClassVar[int]
    CORRECTED_FIELD_NUMBER: _ClassVar[int]
    SURFACES_FIELD_NUMBER: _ClassVar[int]
    MOVED_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    tables: _containers.RepeatedCompositeFieldContainer[Table]
    failure: Failure
    opened: Opened
    stepped: Stepped
    responded: Responded
    rejected: Rejected
    flexibility: Flexibility
    instants: Instants
    notes: Notes
    harmonics: Harmonics
    weights: Load
    kept: Kept
    done: Done
    tried: Tried
    rung: Rung
    responded_block: RespondedBlock
    tried_block: TriedBlock
    settled_block: SettledBlock
    corrector: Corrector
    corrected: Corrected
    surfaces: Surfaces
    moved: Moved
    def __init__(self, sequence: _Optional[int] = ..., tables: _Optional[_Iterable[_Union[Table, _Mapping]]] = ..., failure: _Optional[_Union[Failure, _Mapping]] = ..., opened: _Optional[_Union[Opened, _Mapping]] = ..., stepped: _Optional[_Union[Stepped, _Mapping]] = ..., responded: _Optional[_Union[Responded, _Mapping]] = ..., rejected: _Optional[_Union[Rejected, _Mapping]] = ..., flexibility: _Optional[_Union[Flexibility, _Mapping]] = ..., instants: _Optional[_Union[Instants, _Mapping]] = ..., notes: _Optional[_Union[Notes, _Mapping]] = ..., harmonics: _Optional[_Union[Harmonics, _Mapping]] = ..., weights: _Optional[_Union[Load, _Mapping]] = ..., kept: _Optional[_Union[Kept, _Mapping]] = ..., done: _Optional[_Union[Done, _Mapping]] = ..., tried: _Optional[_Union[Tried, _Mapping]] = ..., rung: _Optional[_Union[Rung, _Mapping]] = ..., responded_block: _Optional[_Union[RespondedBlock, _Mapping]] = ..., tried_block: _Optional[_Union[TriedBlock, _Mapping]] = ..., settled_block: _Optional[_Union[SettledBlock, _Mapping]] = ..., corrector: _Optional[_Union[Corrector, _Mapping]] = ..., corrected: _Optional[_Union[Corrected, _Mapping]] = ..., surfaces: _Optional[_Union[Surfaces, _Mapping]] = ..., moved: _Optional[_Union[Moved, _Mapping]] = ...) -> None: ...

class Opened(_message.Message):
    __slots__ = ("session", "epoch", "description")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    session: int
    epoch: int
    description: Description
    def __init__(self, session: _Optional[int] = ..., epoch: _Optional[int] = ..., description: _Optional[_Union[Description, _Mapping]] = ...) -> None: ...

class Motion(_message.Message):
    __slots__ = ("x", "v", "a", "turn")
    X_FIELD_NUMBER: _ClassVar[int]
    V_FIELD_NUMBER: _ClassVar[int]
    A_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    x: _containers.RepeatedScalarFieldContainer[float]
    v: _containers.RepeatedScalarFieldContainer[float]
    a: _containers.RepeatedScalarFieldContainer[float]
    turn: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, x: _Optional[_Iterable[float]] = ..., v: _Optional[_Iterable[float]] = ..., a: _Optional[_Iterable[float]] = ..., turn: _Optional[_Iterable[float]] = ...) -> None: ...

class Outputs(_message.Message):
    __slots__ = ("ports", "forms", "values")
    PORTS_FIELD_NUMBER: _ClassVar[int]
    FORMS_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    ports: _containers.RepeatedScalarFieldContainer[int]
    forms: _containers.RepeatedScalarFieldContainer[int]
    values: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, ports: _Optional[_Iterable[int]] = ..., forms: _Optional[_Iterable[int]] = ..., values: _Optional[_Iterable[float]] = ...) -> None: ...

class Energy(_message.Message):
    __slots__ = ("stored", "dissipated", "supplied")
    STORED_FIELD_NUMBER: _ClassVar[int]
    DISSIPATED_FIELD_NUMBER: _ClassVar[int]
    SUPPLIED_FIELD_NUMBER: _ClassVar[int]
    stored: float
    dissipated: float
    supplied: float
    def __init__(self, stored: _Optional[float] = ..., dissipated: _Optional[float] = ..., supplied: _Optional[float] = ...) -> None: ...

class Table(_message.Message):
    __slots__ = ("id", "columns")
    ID_FIELD_NUMBER: _ClassVar[int]
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    id: int
    columns: _containers.RepeatedCompositeFieldContainer[Column]
    def __init__(self, id: _Optional[int] = ..., columns: _Optional[_Iterable[_Union[Column, _Mapping]]] = ...) -> None: ...

class Column(_message.Message):
    __slots__ = ("name", "unit", "rows", "width", "components", "instant")
    NAME_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    COMPONENTS_FIELD_NUMBER: _ClassVar[int]
    INSTANT_FIELD_NUMBER: _ClassVar[int]
    name: str
    unit: str
    rows: int
    width: int
    components: _containers.RepeatedScalarFieldContainer[str]
    instant: bool
    def __init__(self, name: _Optional[str] = ..., unit: _Optional[str] = ..., rows: _Optional[int] = ..., width: _Optional[int] = ..., components: _Optional[_Iterable[str]] = ..., instant: _Optional[bool] = ...) -> None: ...

class Figures(_message.Message):
    __slots__ = ("table", "values")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    table: int
    values: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, table: _Optional[int] = ..., values: _Optional[_Iterable[float]] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("values", "reactions", "shapes")
    VALUES_FIELD_NUMBER: _ClassVar[int]
    REACTIONS_FIELD_NUMBER: _ClassVar[int]
    SHAPES_FIELD_NUMBER: _ClassVar[int]
    values: Figures
    reactions: Figures
    shapes: Figures
    def __init__(self, values: _Optional[_Union[Figures, _Mapping]] = ..., reactions: _Optional[_Union[Figures, _Mapping]] = ..., shapes: _Optional[_Union[Figures, _Mapping]] = ...) -> None: ...

class Stepped(_message.Message):
    __slots__ = ("outputs", "energy", "stats", "notes", "view", "ahead", "flexibility", "moved")
    OUTPUTS_FIELD_NUMBER: _ClassVar[int]
    ENERGY_FIELD_NUMBER: _ClassVar[int]
    STATS_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    AHEAD_FIELD_NUMBER: _ClassVar[int]
    FLEXIBILITY_FIELD_NUMBER: _ClassVar[int]
    MOVED_FIELD_NUMBER: _ClassVar[int]
    outputs: Outputs
    energy: Energy
    stats: Figures
    notes: _containers.RepeatedScalarFieldContainer[str]
    view: View
    ahead: Foreseen
    flexibility: Flexibility
    moved: Moved
    def __init__(self, outputs: _Optional[_Union[Outputs, _Mapping]] = ..., energy: _Optional[_Union[Energy, _Mapping]] = ..., stats: _Optional[_Union[Figures, _Mapping]] = ..., notes: _Optional[_Iterable[str]] = ..., view: _Optional[_Union[View, _Mapping]] = ..., ahead: _Optional[_Union[Foreseen, _Mapping]] = ..., flexibility: _Optional[_Union[Flexibility, _Mapping]] = ..., moved: _Optional[_Union[Moved, _Mapping]] = ...) -> None: ...

class Foreseen(_message.Message):
    __slots__ = ("quiet_from", "quiet_to", "responded", "predicted")
    QUIET_FROM_FIELD_NUMBER: _ClassVar[int]
    QUIET_TO_FIELD_NUMBER: _ClassVar[int]
    RESPONDED_FIELD_NUMBER: _ClassVar[int]
    PREDICTED_FIELD_NUMBER: _ClassVar[int]
    quiet_from: float
    quiet_to: float
    responded: Responded
    predicted: Corrected
    def __init__(self, quiet_from: _Optional[float] = ..., quiet_to: _Optional[float] = ..., responded: _Optional[_Union[Responded, _Mapping]] = ..., predicted: _Optional[_Union[Corrected, _Mapping]] = ...) -> None: ...

class Responded(_message.Message):
    __slots__ = ("outputs", "energy", "stats", "notes", "flexibility", "fresh")
    OUTPUTS_FIELD_NUMBER: _ClassVar[int]
    ENERGY_FIELD_NUMBER: _ClassVar[int]
    STATS_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    FLEXIBILITY_FIELD_NUMBER: _ClassVar[int]
    FRESH_FIELD_NUMBER: _ClassVar[int]
    outputs: Outputs
    energy: Energy
    stats: Figures
    notes: _containers.RepeatedScalarFieldContainer[str]
    flexibility: int
    fresh: Flexibility
    def __init__(self, outputs: _Optional[_Union[Outputs, _Mapping]] = ..., energy: _Optional[_Union[Energy, _Mapping]] = ..., stats: _Optional[_Union[Figures, _Mapping]] = ..., notes: _Optional[_Iterable[str]] = ..., flexibility: _Optional[int] = ..., fresh: _Optional[_Union[Flexibility, _Mapping]] = ...) -> None: ...

class Flexibility(_message.Message):
    __slots__ = ("blocks", "solves", "unknown")
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    SOLVES_FIELD_NUMBER: _ClassVar[int]
    UNKNOWN_FIELD_NUMBER: _ClassVar[int]
    blocks: _containers.RepeatedCompositeFieldContainer[Pair]
    solves: int
    unknown: bool
    def __init__(self, blocks: _Optional[_Iterable[_Union[Pair, _Mapping]]] = ..., solves: _Optional[int] = ..., unknown: _Optional[bool] = ...) -> None: ...

class Pair(_message.Message):
    __slots__ = ("shown", "driven", "levels", "powers", "values", "imaginary")
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    DRIVEN_FIELD_NUMBER: _ClassVar[int]
    LEVELS_FIELD_NUMBER: _ClassVar[int]
    POWERS_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    IMAGINARY_FIELD_NUMBER: _ClassVar[int]
    shown: int
    driven: int
    levels: int
    powers: int
    values: _containers.RepeatedScalarFieldContainer[float]
    imaginary: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, shown: _Optional[int] = ..., driven: _Optional[int] = ..., levels: _Optional[int] = ..., powers: _Optional[int] = ..., values: _Optional[_Iterable[float]] = ..., imaginary: _Optional[_Iterable[float]] = ...) -> None: ...

class Rejected(_message.Message):
    __slots__ = ("reason", "shorter", "until", "solves", "kind")
    REASON_FIELD_NUMBER: _ClassVar[int]
    SHORTER_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    SOLVES_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    reason: str
    shorter: bool
    until: float
    solves: int
    kind: Kind
    def __init__(self, reason: _Optional[str] = ..., shorter: _Optional[bool] = ..., until: _Optional[float] = ..., solves: _Optional[int] = ..., kind: _Optional[_Union[Kind, str]] = ...) -> None: ...

class Instants(_message.Message):
    __slots__ = ("t",)
    T_FIELD_NUMBER: _ClassVar[int]
    t: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, t: _Optional[_Iterable[float]] = ...) -> None: ...

class Notes(_message.Message):
    __slots__ = ("text",)
    TEXT_FIELD_NUMBER: _ClassVar[int]
    text: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, text: _Optional[_Iterable[str]] = ...) -> None: ...

class Harmonics(_message.Message):
    __slots__ = ("blocks", "counted", "below")
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    COUNTED_FIELD_NUMBER: _ClassVar[int]
    BELOW_FIELD_NUMBER: _ClassVar[int]
    blocks: _containers.RepeatedCompositeFieldContainer[Pair]
    counted: bool
    below: int
    def __init__(self, blocks: _Optional[_Iterable[_Union[Pair, _Mapping]]] = ..., counted: _Optional[bool] = ..., below: _Optional[int] = ...) -> None: ...

class Kept(_message.Message):
    __slots__ = ("handle", "digest", "log_number", "log_head")
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    LOG_NUMBER_FIELD_NUMBER: _ClassVar[int]
    LOG_HEAD_FIELD_NUMBER: _ClassVar[int]
    handle: str
    digest: str
    log_number: str
    log_head: str
    def __init__(self, handle: _Optional[str] = ..., digest: _Optional[str] = ..., log_number: _Optional[str] = ..., log_head: _Optional[str] = ...) -> None: ...

class Tried(_message.Message):
    __slots__ = ("cases", "rejected")
    CASES_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    cases: _containers.RepeatedCompositeFieldContainer[Shown]
    rejected: Rejected
    def __init__(self, cases: _Optional[_Iterable[_Union[Shown, _Mapping]]] = ..., rejected: _Optional[_Union[Rejected, _Mapping]] = ...) -> None: ...

class Rung(_message.Message):
    __slots__ = ("blocks", "lags", "total", "solves")
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    LAGS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    SOLVES_FIELD_NUMBER: _ClassVar[int]
    blocks: _containers.RepeatedCompositeFieldContainer[Pair]
    lags: int
    total: int
    solves: int
    def __init__(self, blocks: _Optional[_Iterable[_Union[Pair, _Mapping]]] = ..., lags: _Optional[int] = ..., total: _Optional[int] = ..., solves: _Optional[int] = ...) -> None: ...

class RespondedBlock(_message.Message):
    __slots__ = ("windows", "solves")
    WINDOWS_FIELD_NUMBER: _ClassVar[int]
    SOLVES_FIELD_NUMBER: _ClassVar[int]
    windows: _containers.RepeatedCompositeFieldContainer[Shown]
    solves: int
    def __init__(self, windows: _Optional[_Iterable[_Union[Shown, _Mapping]]] = ..., solves: _Optional[int] = ...) -> None: ...

class TriedBlock(_message.Message):
    __slots__ = ("windows", "ahead", "settled")
    WINDOWS_FIELD_NUMBER: _ClassVar[int]
    AHEAD_FIELD_NUMBER: _ClassVar[int]
    SETTLED_FIELD_NUMBER: _ClassVar[int]
    windows: _containers.RepeatedCompositeFieldContainer[Shown]
    ahead: RespondedBlock
    settled: _containers.RepeatedCompositeFieldContainer[Stepped]
    def __init__(self, windows: _Optional[_Iterable[_Union[Shown, _Mapping]]] = ..., ahead: _Optional[_Union[RespondedBlock, _Mapping]] = ..., settled: _Optional[_Iterable[_Union[Stepped, _Mapping]]] = ...) -> None: ...

class SettledBlock(_message.Message):
    __slots__ = ("advances", "ahead", "kept")
    ADVANCES_FIELD_NUMBER: _ClassVar[int]
    AHEAD_FIELD_NUMBER: _ClassVar[int]
    KEPT_FIELD_NUMBER: _ClassVar[int]
    advances: _containers.RepeatedCompositeFieldContainer[Stepped]
    ahead: RespondedBlock
    kept: Kept
    def __init__(self, advances: _Optional[_Iterable[_Union[Stepped, _Mapping]]] = ..., ahead: _Optional[_Union[RespondedBlock, _Mapping]] = ..., kept: _Optional[_Union[Kept, _Mapping]] = ...) -> None: ...

class Corrector(_message.Message):
    __slots__ = ("mass", "beta", "gamma", "alpha_m", "alpha_f")
    MASS_FIELD_NUMBER: _ClassVar[int]
    BETA_FIELD_NUMBER: _ClassVar[int]
    GAMMA_FIELD_NUMBER: _ClassVar[int]
    ALPHA_M_FIELD_NUMBER: _ClassVar[int]
    ALPHA_F_FIELD_NUMBER: _ClassVar[int]
    mass: float
    beta: float
    gamma: float
    alpha_m: float
    alpha_f: float
    def __init__(self, mass: _Optional[float] = ..., beta: _Optional[float] = ..., gamma: _Optional[float] = ..., alpha_m: _Optional[float] = ..., alpha_f: _Optional[float] = ...) -> None: ...

class Corrected(_message.Message):
    __slots__ = ("residual", "corrections", "motions")
    RESIDUAL_FIELD_NUMBER: _ClassVar[int]
    CORRECTIONS_FIELD_NUMBER: _ClassVar[int]
    MOTIONS_FIELD_NUMBER: _ClassVar[int]
    residual: float
    corrections: int
    motions: Outputs
    def __init__(self, residual: _Optional[float] = ..., corrections: _Optional[int] = ..., motions: _Optional[_Union[Outputs, _Mapping]] = ...) -> None: ...

class Surfaces(_message.Message):
    __slots__ = ("each",)
    EACH_FIELD_NUMBER: _ClassVar[int]
    each: _containers.RepeatedCompositeFieldContainer[Surface]
    def __init__(self, each: _Optional[_Iterable[_Union[Surface, _Mapping]]] = ...) -> None: ...

class Surface(_message.Message):
    __slots__ = ("points", "triangles", "quads", "bars")
    POINTS_FIELD_NUMBER: _ClassVar[int]
    TRIANGLES_FIELD_NUMBER: _ClassVar[int]
    QUADS_FIELD_NUMBER: _ClassVar[int]
    BARS_FIELD_NUMBER: _ClassVar[int]
    points: _containers.RepeatedScalarFieldContainer[float]
    triangles: _containers.RepeatedScalarFieldContainer[int]
    quads: _containers.RepeatedScalarFieldContainer[int]
    bars: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, points: _Optional[_Iterable[float]] = ..., triangles: _Optional[_Iterable[int]] = ..., quads: _Optional[_Iterable[int]] = ..., bars: _Optional[_Iterable[int]] = ...) -> None: ...

class Moved(_message.Message):
    __slots__ = ("each",)
    EACH_FIELD_NUMBER: _ClassVar[int]
    each: _containers.RepeatedCompositeFieldContainer[Displacement]
    def __init__(self, each: _Optional[_Iterable[_Union[Displacement, _Mapping]]] = ...) -> None: ...

class Displacement(_message.Message):
    __slots__ = ("values",)
    VALUES_FIELD_NUMBER: _ClassVar[int]
    values: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, values: _Optional[_Iterable[float]] = ...) -> None: ...

class Shown(_message.Message):
    __slots__ = ("outputs", "stats")
    OUTPUTS_FIELD_NUMBER: _ClassVar[int]
    STATS_FIELD_NUMBER: _ClassVar[int]
    outputs: Outputs
    stats: Figures
    def __init__(self, outputs: _Optional[_Union[Outputs, _Mapping]] = ..., stats: _Optional[_Union[Figures, _Mapping]] = ...) -> None: ...

class Done(_message.Message):
    __slots__ = ("log_number", "log_head")
    LOG_NUMBER_FIELD_NUMBER: _ClassVar[int]
    LOG_HEAD_FIELD_NUMBER: _ClassVar[int]
    log_number: str
    log_head: str
    def __init__(self, log_number: _Optional[str] = ..., log_head: _Optional[str] = ...) -> None: ...

class Failure(_message.Message):
    __slots__ = ("code", "kind", "reason")
    CODE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    code: Code
    kind: Kind
    reason: str
    def __init__(self, code: _Optional[_Union[Code, str]] = ..., kind: _Optional[_Union[Kind, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class PulseRequest(_message.Message):
    __slots__ = ("session", "epoch")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    session: int
    epoch: int
    def __init__(self, session: _Optional[int] = ..., epoch: _Optional[int] = ...) -> None: ...

class PulseReply(_message.Message):
    __slots__ = ("open", "sequence", "busy", "seconds")
    OPEN_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    BUSY_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    open: bool
    sequence: int
    busy: bool
    seconds: float
    def __init__(self, open: _Optional[bool] = ..., sequence: _Optional[int] = ..., busy: _Optional[bool] = ..., seconds: _Optional[float] = ...) -> None: ...
